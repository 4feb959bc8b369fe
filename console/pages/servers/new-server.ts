import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { callApi } from "../../api/call.ts";
import { Form } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { useAction } from "../../parts/use-action.ts";
import { useNavigate, useUnsavedWarning } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { LinkFields } from "./link-fields.ts";
import { readServerFields } from "./read-link.ts";
import { ServerFields, serverKinds } from "./server-fields.ts";

const empty = {
  name: "",
  slug: "",
  region: "",
  connect: "",
  listed: true,
  acceptsLinks: true,
  kind: "webrcon",
  enabled: true,
  baseUrl: "",
  wsUrl: "",
  hasToken: false,
  rconHost: "",
  rconPort: 28_016,
  rconTls: false,
  hasPassword: false,
} as const;

async function addServer(values: FormData): Promise<number> {
  const { name, ...fields } = readServerFields(values);
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
  const { server } = await callApi("POST /admin/survival/servers", { body: { name, ...given } });
  return server.id;
}

/** Adds a survival server, and then opens its page. */
export function NewServer(): VNode {
  const action = useAction();
  const open = useNavigate();
  const onSend = async (values: FormData) => {
    const id = await addServer(values);
    open(`/console/servers/${id}`, { replace: true });
  };
  const [isDirty, setDirty] = useState(false);
  useUnsavedWarning(isDirty);
  return html`<p><a href="/console/servers">${words.gameServers.back}</a></p>
    <h1>${words.pages.newServer}</h1>
    <div onInput=${() => setDirty(true)}>
      <${Form}
        action=${action}
        onSend=${onSend}
        send=${words.gameServers.create}
        label=${words.pages.newServer}
      >
        <${ServerFields} values=${empty} problem=${action.problem} />
        <${LinkFields} kinds=${serverKinds} values=${empty} problem=${action.problem} />
      <//>
    </div>`;
}
