import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";

import type { AnswerOf } from "../../api/call.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { MoreButton } from "../../parts/pager.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";

type Events = AnswerOf<"GET /admin/shard/audit">;

/** The service sends at most this number of events, and has no further pages. */
const most = 500;

/** Lists the actions of the game's staff in the game, newest first. */
export function GameLog(): VNode {
  const [limit, setLimit] = useState(50);
  const answer = useApiRead("GET /admin/shard/audit", { query: { limit } });
  // The events stay while more of them are read, so that the person keeps the place in the list.
  const last = useRef<Events | null>(null);
  last.current = answer.data ?? last.current;
  const read = { ...answer, data: last.current };
  return html`<p>${words.gameLog.hint}</p>
    <${ReadStateView} read=${read}>
      ${(events: Events) =>
        html`<${Table}
            label=${words.moderation.tabs.log}
            heads=${[
              words.gameLog.at,
              words.gameLog.actor,
              words.gameLog.command,
              words.gameLog.args,
              words.gameLog.target,
            ]}
            rows=${events.map(({ id, t, payload }) => ({
              key: id,
              cells: [
                formatTime(t),
                payload.actor.name ?? payload.actor.serial ?? "–",
                payload.command || "–",
                payload.args || "–",
                payload.target || "–",
              ],
            }))}
            none=${words.gameLog.none}
          />
          <${MoreButton}
            onMore=${() => setLimit((count) => Math.min(most, count + 150))}
            hasMore=${events.length === limit && limit < most}
          />`}
    <//>`;
}
