import type { VNode } from "preact";

import type { AnswerOf } from "../../../api/call.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import type { PageProps } from "../../../shell/frame.ts";
import { words } from "../../../words/words.ts";
import { ServerPageHeading } from "../heads.ts";
import { Bans } from "./bans.ts";
import { ServerEvents } from "./events.ts";
import { Players } from "./players.ts";
import { ServerState } from "./state.ts";

/** One survival server: its state, its players and its events. */
export function SurvivalServer({ params: { id = "" } }: PageProps): VNode {
  const server = useApiRead(
    "GET /admin/survival/servers/{id}",
    { path: { id: Number(id) } },
    15_000,
  );
  return html`<${ServerPageHeading} id=${id} title=${words.survival.serverTabs.state} />
    <${ReadStateView} read=${server}>
      ${({ server: one }: AnswerOf<"GET /admin/survival/servers/{id}">) =>
        html`<${ServerState} server=${one} />
          ${
            one.listed
              ? html`<${Players} serverId=${one.id} />`
              : html`<p class="soft">${words.survival.players.unlisted}</p>`
          }
          <${Bans} serverId=${one.id} />
          <${ServerEvents} serverId=${one.id} />`}
    <//>`;
}
