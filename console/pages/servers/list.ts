import type { VNode } from "preact";

import type { AnswerOf } from "../../api/call.ts";
import { DescriptionList } from "../../parts/facts.ts";
import { formatAgo, formatNumber } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { LinkStatus, type Server } from "./link-status.ts";

const everyMs = 5_000;

/** The shard and all survival servers, with the states of their links. */
export function Servers(): VNode {
  const may = useAccessCheck();
  const add = html`<a class="button" href="/console/servers/new">${words.gameServers.add}</a>`;
  return html`<h1>${words.pages.servers}</h1>
    <h2>${words.gameServers.shard}</h2>
    <${ShardState} />
    ${
      may("GET /admin/shardlink/config") &&
      html`<p><a href="/console/servers/shard">${words.gameServers.openShard}</a></p>`
    }
    <div class="row">
      <h2>${words.gameServers.survival}</h2>
      ${may("POST /admin/survival/servers") && add}
    </div>
    <${SurvivalServers} />`;
}

function ShardState(): VNode {
  const dashboard = useApiRead("GET /admin/dashboard", {}, everyMs);
  return html`<${ReadStateView} read=${dashboard}>
    ${({ shard }: AnswerOf<"GET /admin/dashboard">) => {
      const { status, pluginConnected, onlineCount, lastEventAt } = shard;
      const game = pluginConnected ? words.gameServers.running : words.gameServers.notRunning;
      return html`<${DescriptionList}
        facts=${[
          [words.gameServers.link, html`<${LinkStatus} status=${status} />`],
          [words.gameServers.game, game],
          [words.gameServers.online, formatNumber(onlineCount)],
          [words.gameServers.lastEvent, formatAgo(lastEventAt)],
        ]}
      />`;
    }}
  <//>`;
}

function SurvivalServers(): VNode {
  const read = useApiRead("GET /admin/survival/servers", {}, everyMs);
  const { gameServers } = words;
  return html`<${ReadStateView} read=${read}>
    ${({ servers }: AnswerOf<"GET /admin/survival/servers">) =>
      html`<${Table}
        label=${gameServers.survival}
        heads=${[
          gameServers.name,
          gameServers.kind,
          gameServers.link,
          { text: gameServers.players, isNumber: true },
          gameServers.lastEvent,
          gameServers.reason,
        ]}
        rows=${servers.map((server) => ({ key: server.id, cells: cellsOf(server) }))}
        none=${gameServers.noServers}
      />`}
  <//>`;
}

const cellsOf = ({ id, name, kind, link, players, maxPlayers }: Server) => [
  html`<a href=${`/console/servers/${id}`}>${name}</a>`,
  words.gameServers.kinds[kind],
  html`<${LinkStatus} status=${link.status} />`,
  players === null ? "–" : `${formatNumber(players)} / ${formatNumber(maxPlayers)}`,
  formatAgo(link.lastEventAt),
  link.error ?? "",
];
