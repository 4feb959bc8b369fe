import type { VNode } from "preact";

import type { AnswerOf } from "../../../api/call.ts";
import { formatAgo, formatNumber } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import { useAccessCheck } from "../../../shell/session.ts";
import { words } from "../../../words/words.ts";
import { SitePageHeading } from "../heads.ts";
import { type ServerList, useServers } from "../use-servers.ts";

type Overview = AnswerOf<"GET /admin/survival/permissions">;

export const syncKinds = {
  clean: "good",
  dirty: "warn",
  pushing: "warn",
  failed: "bad",
  offline: "soft",
} as const;

/** The permission groups, and whether each server has the permissions that the site has set. */
export function SurvivalPermissions(): VNode {
  const read = useApiRead("GET /admin/survival/permissions", {}, 15_000);
  const servers = useServers();
  const may = useAccessCheck();
  const { permissions: text } = words.survival;
  return html`<${SitePageHeading} title=${words.survival.tabs.permissions} />
    <${ReadStateView} read=${read}>
      ${(overview: Overview) =>
        html`<p class="soft">${text.counts(overview.counts)}</p>
          <h2>${text.servers}</h2>
          <${SyncTable} syncs=${overview.servers} servers=${servers} />
          <div class="row">
            <h2>${text.groups}</h2>
            ${
              may("POST /admin/survival/permissions/groups") &&
              html`<a class="button" href="/console/survival/permissions/groups/new">${text.newGroup}</a>`
            }
          </div>
          <${GroupTable} groups=${overview.groups} servers=${servers} />`}
    <//>`;
}

function SyncTable({
  syncs,
  servers,
}: {
  readonly syncs: Overview["servers"];
  readonly servers: ServerList;
}): VNode {
  const { permissions: text } = words.survival;
  const rows = syncs.map(
    ({ serverId, state, error, lastOkAt, pendingOps, unknownPermissions, drift }) => ({
      key: serverId,
      cells: [
        html`<a href=${`/console/survival/servers/${serverId}/permissions`}>${servers.nameOf(serverId)}</a>`,
        html`<span class=${syncKinds[state]}>${text.states[state]}</span> ${error}`,
        formatNumber(pendingOps),
        formatAgo(lastOkAt),
        formatNumber(drift.missing.length),
        formatNumber(drift.extra.length),
        unknownPermissions.join(", ") || "–",
      ],
    }),
  );
  const heads = [
    text.server,
    text.state,
    { text: text.pending, isNumber: true },
    text.lastOk,
    { text: text.missing, isNumber: true },
    { text: text.extra, isNumber: true },
    text.unknown,
  ];
  return html`<${Table} label=${text.servers} heads=${heads} rows=${rows} none=${text.noServers} />`;
}

/** Names the servers for which a group or a grant is valid. */
export const describeScope = (
  scope: Overview["groups"][number]["scope"],
  { nameOf }: ServerList,
): string =>
  scope.all ? words.survival.permissions.allServers : scope.serverIds.map(nameOf).join(", ");

function GroupTable({
  groups,
  servers,
}: {
  readonly groups: Overview["groups"];
  readonly servers: ServerList;
}): VNode {
  const { permissions: text } = words.survival;
  const rows = groups.map((group) => ({
    key: group.id,
    cells: [
      html`<a href=${`/console/survival/permissions/groups/${group.id}`}>${group.name}</a>`,
      group.title || "–",
      group.parent ?? "–",
      group.permissions.join(", ") || "–",
      describeScope(group.scope, servers),
      html`<a href=${`/console/survival/grants?group=${encodeURIComponent(group.name)}`}>
        ${formatNumber(group.memberCount)}
      </a>`,
    ],
  }));
  const heads = [
    text.name,
    text.title,
    text.parent,
    text.nodes,
    text.scope,
    { text: text.members, isNumber: true },
  ];
  return html`<${Table} label=${text.groups} heads=${heads} rows=${rows} none=${text.noGroups} />`;
}
