import type { VNode } from "preact";

import type { AnswerOf } from "../../api/call.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { setQuery, useLocation } from "../../shell/router.ts";
import { words } from "../../words/words.ts";

type Frames = AnswerOf<"GET /admin/shardlink/rejected">;

const step = 20;
/** The service keeps this many frames, and refuses a higher limit. */
const most = 1_000;
const everyMs = 15_000;

/** The frames of the shard that the site could not store. */
export function RejectedFrames(): VNode {
  const { gameServers } = words;
  const { query } = useLocation();
  const given = Number(query.get("frames") ?? step);
  const limit = Number.isInteger(given) ? Math.min(Math.max(given, 1), most) : step;
  const read = useApiRead("GET /admin/shardlink/rejected", { query: { limit } }, everyMs);
  const showMore = () => setQuery({ frames: String(Math.min(limit * 2, most)) });
  return html`<section>
    <h3>${gameServers.rejected}</h3>
    <p class="soft">${gameServers.rejectedHint}</p>
    <${ReadStateView} read=${read}>
      ${({ frames }: Frames) =>
        html`<${Table}
            label=${gameServers.rejected}
            heads=${[
              gameServers.time,
              gameServers.event,
              gameServers.code,
              gameServers.detail,
              gameServers.excerpt,
            ]}
            rows=${frames.map((frame) => ({ key: frame.id, cells: cellsOf(frame) }))}
            none=${gameServers.noRejected}
          />
          ${
            frames.length === limit &&
            limit < most &&
            html`<p><button type="button" onClick=${showMore}>${gameServers.more}</button></p>`
          }`}
    <//>
  </section>`;
}

const cellsOf = ({ at, kind, reason, detail, excerpt }: Frames["frames"][number]) => [
  formatTime(at),
  html`<span class="code">${kind ?? "–"}</span>`,
  html`<span class="code">${reason}</span>`,
  detail ?? "",
  html`<span class="code">${excerpt}</span>`,
];
