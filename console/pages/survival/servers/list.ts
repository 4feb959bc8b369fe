import type { VNode } from "preact";

import type { AnswerOf } from "../../../api/call.ts";
import { formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import { words } from "../../../words/words.ts";
import { SitePageHeading } from "../heads.ts";
import { LinkState } from "./state.ts";

/** The survival servers with their state. */
export function SurvivalServers(): VNode {
  const read = useApiRead("GET /admin/survival/servers", {}, 15_000);
  const { servers: text } = words.survival;
  return html`<${SitePageHeading} title=${words.pages.survival} />
    <${ReadStateView} read=${read}>
      ${({ servers }: AnswerOf<"GET /admin/survival/servers">) =>
        html`<${Table}
          label=${words.pages.survival}
          heads=${[text.name, text.link, { text: text.players, isNumber: true }, text.lastWipe, text.nextWipe]}
          rows=${servers.map((server) => ({
            key: server.id,
            cells: [
              html`<a href=${`/console/survival/servers/${server.id}`}>${server.name}</a>`,
              html`<${LinkState} link=${server.link} />`,
              words.survival.playersOf(server.players, server.maxPlayers),
              formatTime(server.lastWipe),
              formatTime(server.nextWipe),
            ],
          }))}
          none=${text.none}
        />`}
    <//>`;
}
