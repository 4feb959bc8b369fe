import type { VNode } from "preact";
import { useState } from "preact/hooks";

import type { AnswerOf } from "../../api/call.ts";
import { Filters } from "../../parts/filters.ts";
import { Field } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { Options } from "../../parts/options.ts";
import { readOffset, Pager } from "../../parts/pager.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useLocation } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { BanBySteamId } from "./ban-by-number.ts";
import { UnbanButton } from "./player-commands.ts";
import { ReportTabs } from "./report-tabs.ts";

/** The number of bans that are drawn at once. The game sends all in one answer. */
const limit = 50;

type Servers = AnswerOf<"GET /admin/survival/servers">;
type Bans = AnswerOf<"GET /admin/survival/servers/{id}/bans">;

/** The bans of one survival server, read from the game. */
export function ServerBans(): VNode {
  const { query } = useLocation();
  const read = useApiRead("GET /admin/survival/servers", {});
  return html`<h1>${words.pages.serverBans}</h1>
    <${ReportTabs} />
    <${ReadStateView} read=${read}>
      ${({ servers }: Servers) => {
        const chosen = servers.find(({ id }) => String(id) === query.get("server")) ?? servers[0];
        if (!chosen) return html`<p class="soft">${words.home.noServers}</p>`;
        return html`<${Filters} label=${words.serverBans.choose}>
            <${Field} label=${words.reports.server} name="server" as="select">
              <${Options}
                options=${servers.map(({ id, name }) => ({ value: String(id), text: name }))}
                chosen=${String(chosen.id)}
              />
            <//>
          <//>
          <${BansOf} key=${chosen.id} serverId=${chosen.id} />`;
      }}
    <//>`;
}

function BansOf({ serverId }: { readonly serverId: number }): VNode {
  const read = useApiRead("GET /admin/survival/servers/{id}/bans", { path: { id: serverId } });
  const offset = readOffset(useLocation().query);
  const [done, setDone] = useState("");
  const tell = (text: string) => {
    setDone(text);
    void read.reload();
  };
  return html`${done !== "" && html`<p class="notice good" role="status">${done}</p>`}
    <${ReadStateView} read=${read}>
      ${({ bans }: Bans) =>
        html`<${Table}
            label=${words.pages.serverBans}
            heads=${[
              words.reports.player,
              words.serverBans.steamId,
              words.playerCommands.reason,
              words.serverBans.until,
              words.serverBans.change,
            ]}
            rows=${bans.slice(offset, offset + limit).map((ban) => ({
              key: ban.steamId,
              cells: [
                ban.name || "–",
                html`<span class="code">${ban.steamId}</span>`,
                ban.reason || "–",
                ban.expiresAt === null ? words.playerCommands.permanent : formatTime(ban.expiresAt),
                html`<${UnbanButton}
                  serverId=${serverId}
                  steamId=${ban.steamId}
                  name=${ban.name || ban.steamId}
                  tell=${tell}
                />`,
              ],
            }))}
            none=${words.serverBans.nobody}
          />
          <${Pager} total=${bans.length} limit=${limit} offset=${offset} />`}
    <//>
    <${BanBySteamId} serverId=${serverId} onDone=${read.reload} />`;
}
