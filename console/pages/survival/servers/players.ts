import type { VNode } from "preact";
import { useState } from "preact/hooks";

import type { AnswerOf } from "../../../api/call.ts";
import { formatAgo } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { Loaded } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { useRead } from "../../../parts/use-read.ts";
import { words } from "../../../words/words.ts";
import { BanButton, KickButton } from "./moderate.ts";

type Presence = AnswerOf<"GET /public/survival/servers/{id}/online">;

const shownAtFirst = 50;

/** The players who are on the server now. */
export function Players({ serverId }: { readonly serverId: number }): VNode {
  const read = useRead(
    "GET /public/survival/servers/{id}/online",
    { path: { id: serverId } },
    15_000,
  );
  return html`<h2>${words.survival.players.title}</h2>
    <${Loaded} read=${read}>
      ${(presence: Presence) =>
        html`<${PlayerTable} serverId=${serverId} presence=${presence} onKicked=${read.reload} />`}
    <//>`;
}

function PlayerTable({
  serverId,
  presence: { players },
  onKicked,
}: {
  readonly serverId: number;
  readonly presence: Presence;
  readonly onKicked: () => Promise<void>;
}): VNode {
  const { players: text } = words.survival;
  const [limit, setLimit] = useState(shownAtFirst);
  const rows = players.slice(0, limit).map(({ steamId, name, since, clan }) => ({
    key: steamId,
    cells: [
      name || steamId,
      html`<a href=${`/console/survival/players?steamId=${steamId}`}>${steamId}</a>`,
      clan?.name ?? "–",
      formatAgo(since),
      html`<div class="buttons">
        <${KickButton} serverId=${serverId} steamId=${steamId} name=${name || steamId} onDone=${onKicked} />
        <${BanButton} serverId=${serverId} steamId=${steamId} name=${name || steamId} onDone=${onKicked} />
      </div>`,
    ],
  }));
  return html`<${Table}
      label=${text.title}
      heads=${[text.name, text.steamId, text.clan, text.since, text.actions]}
      rows=${rows}
      none=${text.none}
    />
    ${
      players.length > limit &&
      html`<p>
      <button type="button" onClick=${() => setLimit(limit + shownAtFirst)}>${words.pager.more}</button>
    </p>`
    }`;
}
