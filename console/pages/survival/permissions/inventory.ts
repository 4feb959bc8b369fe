import type { VNode } from "preact";

import type { AnswerOf } from "../../../api/call.ts";
import { formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import type { PageProps } from "../../../shell/frame.ts";
import { words } from "../../../words/words.ts";
import { ServerPageHeading } from "../heads.ts";
import { PermissionSyncControls } from "./sync.ts";

type Inventory = AnswerOf<"GET /admin/survival/permissions/inventory/{serverId}">;
type Entry = Inventory["drift"]["extra"][number];

/** Shows the permissions that a server reports, and how they differ from those that the site has set. */
export function SurvivalInventory({ params: { id = "" } }: PageProps): VNode {
  const { inventory: text } = words.survival;
  const path = { serverId: Number(id) };
  const read = useApiRead("GET /admin/survival/permissions/inventory/{serverId}", { path }, 15_000);
  return html`<${ServerPageHeading} id=${id} title=${words.survival.serverTabs.permissions} />
    <${PermissionSyncControls} serverId=${path.serverId} onSynced=${read.reload} />
    <${ReadStateView} read=${read}>
      ${({ drift, inventory, inventoryAt }: Inventory) =>
        html`<p class="soft">${text.reported(formatTime(inventoryAt))}</p>
          <h2>${text.missing}</h2>
          <p class="soft">${text.missingHint}</p>
          <${Drift} label=${text.missing} entries=${drift.missing} />
          <h2>${text.extra}</h2>
          <p class="soft">${text.extraHint}</p>
          <${Drift} label=${text.extra} entries=${drift.extra} />
          ${inventory && html`<${Reported} inventory=${inventory} />`}`}
    <//>`;
}

function Drift({
  label,
  entries,
}: {
  readonly label: string;
  readonly entries: readonly Entry[];
}): VNode {
  const { inventory: text } = words.survival;
  const rows = entries.map(({ subjectKind, subject, kind, value }) => ({
    key: `${subjectKind} ${subject} ${kind} ${value}`,
    cells: [text.subjects[subjectKind], subject, text.kinds[kind], value],
  }));
  const heads = [text.subjectKind, text.subject, text.kind, text.value];
  return html`<${Table} label=${label} heads=${heads} rows=${rows} none=${text.noDrift} />`;
}

function Reported({
  inventory: { groups, users },
}: {
  readonly inventory: NonNullable<Inventory["inventory"]>;
}): VNode {
  const { inventory: text } = words.survival;
  const groupRows = groups.map(({ name, title, parent, permissions }) => ({
    key: name,
    cells: [name, title || "–", parent || "–", permissions.join(", ") || "–"],
  }));
  const userRows = users.map(({ steamId, name, groups: memberOf, permissions }) => ({
    key: steamId,
    cells: [
      html`<a href=${`/console/survival/players?steamId=${steamId}`}>${steamId}</a>`,
      name ?? "–",
      memberOf.join(", ") || "–",
      permissions.join(", ") || "–",
    ],
  }));
  return html`<h2>${text.groups}</h2>
    <${Table}
      label=${text.groups}
      heads=${[text.name, text.title, text.parent, text.permissions]}
      rows=${groupRows}
    />
    <h2>${text.users}</h2>
    <${Table}
      label=${text.users}
      heads=${[text.steamId, text.name, text.memberOf, text.permissions]}
      rows=${userRows}
    />`;
}
