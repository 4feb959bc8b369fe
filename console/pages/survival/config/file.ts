import type { VNode } from "preact";
import { useState } from "preact/hooks";

import type { AnswerOf } from "../../../api/call.ts";
import { formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { Loaded } from "../../../parts/problem-view.ts";
import { useRead } from "../../../parts/use-read.ts";
import type { PageProps } from "../../../shell/frame.ts";
import { mayLeave } from "../../../shell/router.ts";
import { words } from "../../../words/words.ts";
import { ServerHead } from "../heads.ts";
import { ConfigEditor } from "./editor.ts";
import { Writes } from "./writes.ts";

export type Document = AnswerOf<"GET /admin/survival/config/{serverId}/files/{plugin}">["document"];

/** The configuration file of one plugin. */
export function SurvivalConfigFile({ params: { id = "", plugin = "" } }: PageProps): VNode {
  const { config: text } = words.survival;
  const path = { serverId: Number(id), plugin };
  const read = useRead("GET /admin/survival/config/{serverId}/files/{plugin}", { path });
  const [writes, setWrites] = useState(0);
  const reload = async () => {
    if (mayLeave()) await read.reload();
  };
  const onEnded = () => setWrites((count) => count + 1);
  return html`<${ServerHead} id=${id} title=${plugin} />
    <p><a href=${`/console/survival/servers/${id}/config`}>${text.backToFiles}</a></p>
    <${Loaded} read=${{ ...read, reload }}>
      ${({ document: shown }: { readonly document: Document }) =>
        html`<${About} shown=${shown} />
          <${ConfigEditor}
            key=${`${shown.hash} ${shown.readAt}`}
            serverId=${path.serverId}
            shown=${shown}
            onEnded=${onEnded}
            onReload=${reload}
          />`}
    <//>
    <${Writes} key=${writes} serverId=${path.serverId} plugin=${plugin} onRolledBack=${reload} />`;
}

function About({ shown }: { readonly shown: Document }): VNode {
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
