import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../../api/call.ts";
import { ConfirmButton } from "../../../parts/ask-button.ts";
import { formatNumber } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { reloadOnFailure } from "../../../parts/use-action.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import type { PageProps } from "../../../shell/frame.ts";
import { words } from "../../../words/words.ts";
import { ServerPageHeading } from "../heads.ts";
import { useServers } from "../use-servers.ts";
import { AddPlacementButton, type ChosenPlacement, PlacementDialog } from "./placement-form.ts";
import { RespawnButton } from "./respawn.ts";
import { SyncNpcsButton } from "./sync.ts";

type Placements = AnswerOf<"GET /admin/survival/npcs/servers/{serverId}/placements">;
export type Placement = Placements["placements"][number];

/** The places where NPCs spawn on a server. */
export function SurvivalPlacements({ params: { id = "" } }: PageProps): VNode {
  const { placements: text } = words.survival;
  const serverId = Number(id);
  const servers = useServers();
  const read = useApiRead(
    "GET /admin/survival/npcs/servers/{serverId}/placements",
    { path: { serverId } },
    15_000,
  );
  return html`<${ServerPageHeading} id=${id} title=${words.survival.serverTabs.placements} />
    <p class="soft">${text.hint}</p>
    <${SyncNpcsButton} serverId=${serverId} servers=${servers} onSynced=${read.reload} />
    <${AddPlacementButton} serverId=${serverId} onSaved=${read.reload} />
    <${ReadStateView} read=${read}>
      ${({ placements, live }: Placements) =>
        html`${!live && html`<p class="notice">${text.notLive}</p>`}
          <${PlacementTable} placements=${placements} onChanged=${read.reload} />`}
    <//>`;
}

function PlacementTable({
  placements,
  onChanged,
}: {
  readonly placements: readonly Placement[];
  readonly onChanged: () => Promise<void>;
}): VNode {
  const { placements: text } = words.survival;
  // The dialog stays open if somebody else deletes the placement.
  const [chosen, setChosen] = useState<ChosenPlacement | null>(null);
  const rows = placements.map((placement) => ({
    key: placement.id,
    cells: [
      placement.name,
      html`<span class="code">${placement.profileKey}</span>`,
      text.place(placement.monument, placement.x, placement.y, placement.z),
      formatNumber(placement.count),
      html`<${Life} placement=${placement} />`,
      text.wipes[placement.onWipe],
      html`<div class="buttons">
        <button type="button" onClick=${() => setChosen({ kind: "change", placement })}>${text.change}</button>
        <button type="button" onClick=${() => setChosen({ kind: "rename", placement })}>${text.rename}</button>
        <${RespawnButton} placement=${placement} onDone=${onChanged} />
        <${DeleteButton} placement=${placement} onDone=${onChanged} />
      </div>`,
    ],
  }));
  const heads = [
    text.name,
    text.profile,
    text.where,
    { text: text.count, isNumber: true },
    text.life,
    text.onWipe,
    text.actions,
  ];
  return html`<${Table} label=${text.title} heads=${heads} rows=${rows} none=${text.none} />
    ${
      chosen &&
      html`<${PlacementDialog} chosen=${chosen} onClose=${() => setChosen(null)} onSaved=${onChanged} />`
    }`;
}

function Life({ placement: { enabled, live } }: { readonly placement: Placement }): VNode {
  const { placements: text } = words.survival;
  if (live.problem !== null) return html`<span class="bad">${live.problem}</span>`;
  if (!enabled) return html`<span class="soft">${text.disabled}</span>`;
  if (live.alive === null) return html`<span class="soft">${text.unknown}</span>`;
  return html`<span class=${live.spawned ? "good" : "warn"}>
    ${text.alive(live.alive, live.expected ?? live.alive)}
  </span>`;
}

function DeleteButton({
  placement: { id, serverId, name, revision },
  onDone,
}: {
  readonly placement: Placement;
  readonly onDone: () => Promise<void>;
}): VNode {
  const { placements: text } = words.survival;
  const remove = async () => {
    await reloadOnFailure(onDone, () =>
      callApi("DELETE /admin/survival/npcs/servers/{serverId}/placements/{placementId}", {
        path: { serverId, placementId: id },
        body: { basedOn: revision },
      }),
    );
    await onDone();
  };
  return html`<${ConfirmButton}
    text=${text.delete}
    title=${text.deleteTitle(name)}
    question=${text.deleteQuestion}
    confirm=${text.delete}
    onConfirm=${remove}
    danger
  />`;
}
