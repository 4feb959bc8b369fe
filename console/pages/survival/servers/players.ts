import type { VNode } from "preact";
import { useState } from "preact/hooks";

import type { AnswerOf } from "../../../api/call.ts";
import { formatAgo } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { useCommand } from "../../../parts/use-command.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import { useAccessCheck } from "../../../shell/session.ts";
import { words } from "../../../words/words.ts";
import { ModerateDialog, type ModeratedPlayer } from "./moderate.ts";

type Presence = AnswerOf<"GET /public/survival/servers/{id}/online">;

const shownAtFirst = 50;

/** The players who are on the server now. */
export function Players({ serverId }: { readonly serverId: number }): VNode {
  const read = useApiRead(
    "GET /public/survival/servers/{id}/online",
    { path: { id: serverId } },
    15_000,
  );
  return html`<h2>${words.survival.players.title}</h2>
    <${ReadStateView} read=${read}>
      ${(presence: Presence) =>
        html`<${PlayerTable} serverId=${serverId} presence=${presence} onKicked=${read.reload} />`}
    <//>`;
}

function PlayerTable({
  serverId,
  presence: { players, hidden },
  onKicked,
}: {
  readonly serverId: number;
  readonly presence: Presence;
  readonly onKicked: () => Promise<void>;
}): VNode {
  const { players: text } = words.survival;
  const [limit, setLimit] = useState(shownAtFirst);
  // The dialog stays open if the player leaves the server.
  const [chosen, setChosen] = useState<ModeratedPlayer | null>(null);
  const command = useCommand();
  const rows = players.slice(0, limit).map(({ steamId, name, since, clan }) => ({
    key: steamId,
    cells: [
      name || steamId,
      html`<a href=${`/console/survival/players?steamId=${steamId}`}>${steamId}</a>`,
      clan?.name ?? "–",
      formatAgo(since),
      html`<${ModerateButtons} steamId=${steamId} name=${name || steamId} onChoose=${setChosen} />`,
    ],
  }));
  return html`<${Table}
      label=${text.title}
      heads=${[text.name, text.steamId, text.clan, text.since, text.actions]}
      rows=${rows}
      none=${hidden ? text.hidden : text.none}
    />
    ${
      chosen &&
      html`<${ModerateDialog}
      serverId=${serverId}
      player=${chosen}
      command=${command}
      onClose=${() => setChosen(null)}
      onDone=${onKicked}
    />`
    }
    ${
      players.length > limit &&
      html`<p>
      <button type="button" onClick=${() => setLimit(limit + shownAtFirst)}>${words.pager.more}</button>
    </p>`
    }`;
}

function ModerateButtons({
  steamId,
  name,
  onChoose,
}: {
  readonly steamId: string;
  readonly name: string;
  readonly onChoose: (player: ModeratedPlayer) => void;
}): VNode {
  const { moderate: text } = words.survival;
  const may = useAccessCheck();
  const kick = () => onChoose({ kind: "kick", steamId, name });
  const ban = () => onChoose({ kind: "ban", steamId, name });
  const mayKick = may("POST /admin/survival/servers/{id}/kick");
  const mayBan = may("POST /admin/survival/servers/{id}/ban");
  return html`<div class="buttons">
    ${mayKick && html`<button type="button" aria-label=${text.kickTitle(name)} onClick=${kick}>${text.kick}</button>`}
    ${mayBan && html`<button type="button" aria-label=${text.banTitle(name)} onClick=${ban}>${text.ban}</button>`}
  </div>`;
}
