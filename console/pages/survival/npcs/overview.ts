import type { VNode } from "preact";

import type { AnswerOf } from "../../../api/call.ts";
import { formatNumber, formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import { words } from "../../../words/words.ts";
import { SitePageHeading } from "../heads.ts";
import { type ServerList, useServers } from "../use-servers.ts";
import { NpcSyncState } from "./reach.ts";
import { SyncNpcsButton } from "./sync.ts";

type Overview = AnswerOf<"GET /admin/survival/npcs">;

/** The NPC profiles, and whether the servers have them. */
export function SurvivalNpcs(): VNode {
  const { npcs: text } = words.survival;
  const read = useApiRead("GET /admin/survival/npcs", {}, 15_000);
  const servers = useServers();
  return html`<${SitePageHeading} title=${words.survival.tabs.npcs} />
    <${ReadStateView} read=${read}>
      ${(overview: Overview) =>
        html`<h2>${text.servers}</h2>
          <${ServerTable} npcServers=${overview.servers} servers=${servers} />
          <${SyncNpcsButton} servers=${servers} onSynced=${read.reload} />
          <div class="row">
            <h2>${text.profiles}</h2>
            <a class="button" href="/console/survival/npcs/profiles/new">${text.newProfile}</a>
          </div>
          <${ProfileTable} profiles=${overview.profiles} />`}
    <//>`;
}

function ServerTable({
  npcServers,
  servers,
}: {
  readonly npcServers: Overview["servers"];
  readonly servers: ServerList;
}): VNode {
  const { npcs: text } = words.survival;
  const rows = npcServers.map(({ id, npcApi, state }) => ({
    key: id,
    cells: [
      html`<a href=${`/console/survival/servers/${id}/placements`}>${servers.nameOf(id)}</a>`,
      html`<${NpcSyncState} state=${state} />`,
      formatNumber(npcApi),
    ],
  }));
  const heads = [text.server, text.state, { text: text.api, isNumber: true }];
  return html`<${Table} label=${text.servers} heads=${heads} rows=${rows} none=${text.noServers} />`;
}

function ProfileTable({ profiles }: Pick<Overview, "profiles">): VNode {
  const { npcs: text } = words.survival;
  const rows = profiles.map((profile) => ({
    key: profile.id,
    cells: [
      html`<a href=${`/console/survival/npcs/profiles/${profile.id}`}>${profile.displayName}</a>`,
      html`<span class="code">${profile.key}</span>`,
      profile.faction ?? "–",
      formatNumber(profile.health),
      profile.boss ? words.yes : words.no,
      formatNumber(profile.revision),
      text.changedBy(formatTime(profile.updatedAt), profile.updatedBy),
    ],
  }));
  const heads = [
    text.displayName,
    text.key,
    text.faction,
    { text: text.health, isNumber: true },
    text.boss,
    { text: text.revision, isNumber: true },
    text.changed,
  ];
  return html`<${Table} label=${text.profiles} heads=${heads} rows=${rows} none=${text.noProfiles} />`;
}
