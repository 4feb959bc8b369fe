import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { AnswerOf } from "../../api/call.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { MoreButton } from "../../parts/pager.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { textOfValue } from "../events/editor/values.ts";

type Line = AnswerOf<"GET /admin/events/runs/{runId}/log">["log"][number];
type Step = AnswerOf<"GET /admin/events/runs/{runId}">["steps"][number];

const first = 100;
/** The most lines that the service returns. */
const most = 1_000;

/**
 * The log of a run, newest line first.
 * @param changes increases when the run changes; the log is then read again
 */
export function RunLog({
  runId,
  steps,
  changes,
}: {
  readonly runId: number;
  readonly steps: readonly Step[];
  readonly changes: number;
}): VNode {
  const { runs, events } = words;
  const [limit, setLimit] = useState(first);
  const read = useApiRead("GET /admin/events/runs/{runId}/log", {
    path: { runId },
    query: { limit },
  });
  useEffect(() => {
    if (changes > 0) void read.reload();
  }, [changes]);
  const nameOf = ({ stepId, phase }: Line): string => {
    const step = steps.find(({ id }) => id === stepId);
    return step ? `${step.phase} ${step.seq}` : (phase ?? "–");
  };
  const heads = [events.time, runs.what, runs.step, runs.detail];
  return html`<h2>${runs.log}</h2>
    <${ReadStateView} read=${read}>
      ${({ log }: { readonly log: readonly Line[] }) =>
        html`<${Table}
            label=${runs.log}
            heads=${heads}
            rows=${log.toReversed().map((line) => ({
              key: line.id,
              cells: [
                formatTime(line.at),
                runs.logKinds[line.kind],
                nameOf(line),
                detailText(line),
              ],
            }))}
            none=${runs.emptyLog}
          />
          <${MoreButton}
            hasMore=${limit < most && log.length === limit}
            onMore=${() => setLimit(most)}
          />`}
    <//>`;
}

const detailText = ({ detail }: Line): string =>
  Object.entries(detail)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}: ${textOfValue(value)}`)
    .join(", ");
