import type { VNode } from "preact";
import { useState } from "preact/hooks";

import type { AnswerOf } from "../../../api/call.ts";
import { formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import type { PageProps } from "../../../shell/frame.ts";
import { confirmLeave } from "../../../shell/router.ts";
import { words } from "../../../words/words.ts";
import { ServerPageHeading } from "../heads.ts";
import { ConfigEditor } from "./editor.ts";
import { ConfigWrites } from "./writes.ts";

export type ConfigDocument =
  AnswerOf<"GET /admin/survival/config/{serverId}/files/{plugin}">["document"];

/** The configuration file of one plugin. */
export function SurvivalConfigFile({ params: { id = "", plugin = "" } }: PageProps): VNode {
  const { config: text } = words.survival;
  const path = { serverId: Number(id), plugin };
  const read = useApiRead("GET /admin/survival/config/{serverId}/files/{plugin}", { path });
  const [writes, setWrites] = useState(0);
  const reload = async () => {
    if (confirmLeave()) await read.reload();
  };
  const onEnded = () => setWrites((count) => count + 1);
  return html`<${ServerPageHeading} id=${id} title=${plugin} />
    <p><a href=${`/console/survival/servers/${id}/config`}>${text.backToFiles}</a></p>
    <${ReadStateView} read=${{ ...read, reload }}>
      ${({ document: shown }: { readonly document: ConfigDocument }) =>
        html`<${About} shown=${shown} />
          <${ConfigEditor}
            key=${`${shown.hash} ${shown.readAt}`}
            serverId=${path.serverId}
            shown=${shown}
            onEnded=${onEnded}
            onReload=${reload}
          />`}
    <//>
    <${ConfigWrites} key=${writes} serverId=${path.serverId} plugin=${plugin} onRolledBack=${reload} />`;
}

function About({ shown }: { readonly shown: ConfigDocument }): VNode {
  const { config: text } = words.survival;
  return html`<dl>
      <dt>${text.file}</dt>
      <dd class="code">${shown.file}</dd>
      <dt>${text.loaded}</dt>
      <dd>${shown.loaded ? words.yes : words.no}</dd>
      <dt>${text.readAt}</dt>
      <dd>${formatTime(shown.readAt)}</dd>
    </dl>
    ${
      shown.secretsMasked.length > 0 &&
      html`<div class="notice">
      <p>${text.secrets}</p>
      <ul class="code">
        ${shown.secretsMasked.map((pointer) => html`<li key=${pointer}>${pointer}</li>`)}
      </ul>
    </div>`
    }`;
}
