import type { VNode } from "preact";

import { callApi } from "../../api/call.ts";
import type { Problem } from "../../api/problem.ts";
import { html } from "../../parts/html.ts";
import { words } from "../../words/words.ts";
import { pickChangedValues, useFormConflict } from "./form-base.ts";
import { LinkFields } from "./link-fields.ts";
import { LinkForm } from "./link-form.ts";
import type { Server } from "./link-status.ts";
import { readServerFields } from "./read-link.ts";
import { ServerFields, serverKinds } from "./server-fields.ts";

const storedOf = (server: Server) => {
  const { name, slug, region, connect, listed, acceptsLinks, enabled, kind } = server;
  const { baseUrl, wsUrl, hasToken, rconHost, rconPort, rconTls, hasPassword } = server;
  return {
    name,
    slug,
    region: region ?? "",
    connect: connect ?? "",
    listed,
    acceptsLinks,
    enabled,
    kind,
    baseUrl,
    wsUrl,
    hasToken,
    rconHost,
    rconPort,
    rconTls,
    hasPassword,
  };
};

/** Changes a survival server and its link. */
export function ServerForm({
  server,
  onServer,
}: {
  readonly server: Server;
  readonly onServer: (server: Server) => void;
}): VNode {
  const { gameServers } = words;
  const { token: hasToken, rconPassword: hasPassword } = gameServers;
  const form = useFormConflict(storedOf(server), { ...gameServers, hasToken, hasPassword });
  const { base, drawn, round, notice, onInput } = form;
  const path = { id: server.id };
  const save = async (values: FormData) => {
    const finish = form.startSaving();
    const now = await callApi("GET /admin/survival/servers/{id}", { path });
    onServer(now.server);
    if (form.isOvertaken(storedOf(now.server))) return false;
    const body = toBody(pickChangedValues(readServerFields(values), base));
    const saved = await callApi("PUT /admin/survival/servers/{id}", { path, body });
    onServer(saved.server);
    finish(storedOf(saved.server));
    return true;
  };
  const isUsed = base.hasToken || base.hasPassword || server.hasKey || base.baseUrl !== "";
  return html`<${LinkForm}
    kind=${base.kind}
    isUsed=${isUsed}
    save=${save}
    notice=${notice}
    onInput=${onInput}
  >
    ${(problem: Problem | null) => [
      html`<${ServerFields} key=${`server ${round}`} values=${drawn} problem=${problem} />`,
      html`<${LinkFields} key=${round} kinds=${serverKinds} values=${drawn} problem=${problem} />`,
    ]}
  <//>`;
}

type Sent = Partial<ReturnType<typeof readServerFields>>;

/** Returns the body of a change. Null removes a text. */
const toBody = ({ region, connect, ...rest }: Sent) => ({
  ...rest,
  ...(region !== undefined && { region: region || null }),
  ...(connect !== undefined && { connect: connect || null }),
});
