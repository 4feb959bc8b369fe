import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, type QueryOf, urlOf } from "../../api/call.ts";
import { Field } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { MoreButton } from "../../parts/pager.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useStream } from "../../parts/use-stream.ts";
import { useLocation } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { EventLinks } from "../events/links.ts";
import { formatEventScope } from "../events/scope.ts";
import { setFilter } from "../events/set-filter.ts";
import { useThrottledCallback } from "./use-soon.ts";

type Run = AnswerOf<"GET /admin/events/runs">["runs"][number];
type Status = NonNullable<QueryOf<"GET /admin/events/runs">["status"]>;

/** The most runs that the service returns. */
const most = 100;
const first = 50;

/** Without the stream, the page reads the runs in this interval. */
const everyMs = 10_000;

const isStatus = (text: string): text is Status =>
  Object.hasOwn(words.runs.statuses, text) && text !== "projected";

/** The runs of all events, or of one, as they change. */
export function RunList(): VNode {
  const { query } = useLocation();
  const status = query.get("status") ?? "";
  const definitionId = Number(query.get("event") ?? 0);
  const [limit, setLimit] = useState(first);
  const [isLive, setLive] = useState(false);
  const sent = {
    limit,
    ...(isStatus(status) && { status }),
    ...(definitionId > 0 && { definitionId }),
  };
  const read = useApiRead("GET /admin/events/runs", { query: sent }, isLive ? undefined : everyMs);
  const reload = useThrottledCallback(read.reload);
  const isConnected = useStream(urlOf("GET /admin/events/stream", {}), {
    "event.run": reload,
    hello: reload,
    reset: reload,
  });
  if (isConnected !== isLive) setLive(isConnected);
  return html`<h1>${words.pages.runs}</h1>
    <${EventLinks} />
    <${Filters} status=${status} definitionId=${definitionId} />
    <${ReadStateView} read=${read}>
      ${({ runs }: { readonly runs: readonly Run[] }) =>
        html`<${RunTable} runs=${runs} />
          <${MoreButton}
            hasMore=${limit < most && runs.length === limit}
            onMore=${() => setLimit(most)}
          />
          ${runs.length === most && html`<p class="soft">${words.runs.noOlder(most)}</p>`}`}
    <//>`;
}

function Filters({
  status,
  definitionId,
}: {
  readonly status: string;
  readonly definitionId: number;
}): VNode {
  const events = useApiRead("GET /admin/events", {});
  return html`<div class="filters">
    <${Field} as="select" label=${words.events.state} name="status" onChange=${setFilter("status")}>
      <option value="">${words.events.allStates}</option>
      ${Object.entries(words.runs.statuses)
        .filter(([value]) => value !== "projected")
        .map(
          ([value, text]) =>
            html`<option key=${value} value=${value} selected=${value === status}>${text}</option>`,
        )}
    <//>
    <${Field} as="select" label=${words.runs.event} name="event" onChange=${setFilter("event")}>
      <option value="">${words.events.allStates}</option>
      ${events.data?.events.map(
        ({ id, title }) =>
          html`<option key=${id} value=${id} selected=${id === definitionId}>${title}</option>`,
      )}
    <//>
  </div>`;
}

function RunTable({ runs: list }: { readonly runs: readonly Run[] }): VNode {
  const { runs, events } = words;
  const rows = list.map((run) => ({
    key: run.id,
    cells: [
      html`<a href=${`/console/runs/${run.id}`}>${run.definitionTitle}</a>`,
      html`<${RunStatus} run=${run} />`,
      run.currentPhase ?? "–",
      formatTime(run.scheduledFor ?? run.startedAt ?? run.createdAt),
      formatEventScope(run.scope),
      run.waitingSteps > 0 ? html`<span class="warn">${runs.waits(run.waitingSteps)}</span>` : "–",
      run.startedByUsername ?? "–",
    ],
  }));
  const heads = [
    runs.event,
    events.state,
    runs.phase,
    events.time,
    events.scope,
    runs.waiting,
    runs.startedBy,
  ];
  return html`<${Table} label=${words.pages.runs} heads=${heads} rows=${rows} none=${runs.nothing} />`;
}

/** The status of a run in words, with what is special about it. */
export function RunStatus({ run }: { readonly run: Run }): VNode {
  const { runs } = words;
  const isBad = run.status === "failed" || run.status === "missed" || run.health === "degraded";
  return html`<span class=${isBad ? "bad" : run.status === "paused" ? "warn" : ""}>
    ${runs.statuses[run.status]}${run.health === "degraded" ? `, ${runs.degraded}` : ""}${
      run.rehearsal ? `, ${runs.isRehearsal}` : ""
    }
  </span>`;
}
