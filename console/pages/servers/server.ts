import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { DescriptionList } from "../../parts/facts.ts";
import { Field } from "../../parts/form.ts";
import { formatAgo, formatNumber } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { type ReadState, useApiRead } from "../../parts/use-read.ts";
import type { PageProps } from "../../shell/frame.ts";
import { useNavigate } from "../../shell/router.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { LinkAdvice, listServerAdvice } from "./advice.ts";
import { LinkStatus, type Server } from "./link-status.ts";
import { PluginKey } from "./plugin-key.ts";
import { ReportKey } from "./report-key.ts";
import { ServerForm } from "./server-form.ts";
import { ServerLiveEvents } from "./server-live.ts";
import { ServerLinkTest } from "./server-test.ts";

const everyMs = 3_000;

type Answer = AnswerOf<"GET /admin/survival/servers/{id}">;

/** One survival server: the state of its link, its settings and keys. */
export function SurvivalServer({ params }: PageProps): VNode {
  const { id = "" } = params;
  const path = { id: Number(id) };
  const read = useApiRead("GET /admin/survival/servers/{id}", { path }, everyMs);
  const title = read.data?.server.name ?? words.gameServers.serverNumber(id);
  return html`<p><a href="/console/servers">${words.gameServers.back}</a></p>
    <h1>${title}</h1>
    <${ReadStateView} read=${read}>
      ${({ server }: Answer) => html`<${Shown} server=${server} read=${read} />`}
    <//>`;
}

interface Props {
  readonly server: Server;
  readonly read: ReadState<Answer>;
}

function Shown({ server, read }: Props): VNode {
  const may = useAccessCheck();
  const mayChange = may("PUT /admin/survival/servers/{id}");
  return html`<${ServerFacts} server=${server} />
    ${
      mayChange &&
      html`<${LinkAdvice} reason=${server.link.error} advice=${listServerAdvice(server)} kind=${server.kind} />`
    }
    ${may("POST /admin/survival/servers/{id}/test") && html`<${ServerLinkTest} server=${server} />`}
    ${mayChange && server.kind === "plugin" && html`<${ServerKey} server=${server} read=${read} />`}
    <${ServerLiveEvents} server=${server} />
    ${mayChange && html`<${Settings} server=${server} read=${read} />`}`;
}

function ServerFacts({ server }: { readonly server: Server }): VNode {
  const { gameServers } = words;
  const { kind, link, players, maxPlayers, framework, plugin, linkCodes } = server;
  return html`<${DescriptionList}
    facts=${[
      [gameServers.kind, gameServers.kinds[kind]],
      [gameServers.link, html`<span role="status"><${LinkStatus} status=${link.status} /></span>`],
      [gameServers.since, formatAgo(link.since)],
      link.error === null ? null : [gameServers.reason, link.error],
      [gameServers.lastEvent, formatAgo(link.lastEventAt)],
      players === null
        ? null
        : [gameServers.players, `${formatNumber(players)} / ${formatNumber(maxPlayers)}`],
      [gameServers.world, link.worldReady ? gameServers.worldReady : gameServers.worldNotReady],
      framework && [gameServers.framework, framework],
      plugin && [gameServers.plugin, `${plugin.name} ${plugin.version}`],
      link.rowsLeftOut > 0 ? [gameServers.rowsLeftOut, formatNumber(link.rowsLeftOut)] : null,
      linkCodes.problem === null ? null : [gameServers.linkCodes, linkCodes.problem],
    ]}
  />`;
}

function ServerKey({ server, read }: Props): VNode {
  const path = { id: server.id };
  const create = () => callApi("POST /admin/survival/servers/{id}/plugin-key", { path });
  const revoke = async () => {
    const { ended } = await callApi("DELETE /admin/survival/servers/{id}/plugin-key", { path });
    return ended;
  };
  return html`<${PluginKey}
    stored=${server}
    isShard=${false}
    create=${create}
    revoke=${revoke}
    onChange=${read.reload}
  />`;
}

function Settings({ server, read }: Props): VNode {
  const onServer = (changed: Server) => read.set({ server: changed });
  return html`<h2>${words.gameServers.settings}</h2>
    <${ServerForm} server=${server} onServer=${onServer} />
    <${ReportKey} server=${server} onChange=${read.reload} />
    <${RemoveServer} server=${server} />`;
}

function RemoveServer({ server: { id, name } }: { readonly server: Server }): VNode {
  const { gameServers } = words;
  const [purge, setPurge] = useState(false);
  const open = useNavigate();
  const remove = async () => {
    const query = purge ? { purge } : {};
    await callApi("DELETE /admin/survival/servers/{id}", { path: { id }, query });
    open("/console/servers", { replace: true });
  };
  const question = html`<p>${gameServers.removeQuestion}</p>
    <${Purge} onPurge=${setPurge} />`;
  return html`<section>
    <h2>${gameServers.remove}</h2>
    <p class="soft">${gameServers.removeHint}</p>
    <${ConfirmButton}
      text=${gameServers.remove}
      title=${gameServers.removeTitle(name)}
      question=${question}
      confirm=${gameServers.removeNow}
      onConfirm=${remove}
      danger
    />
  </section>`;
}

/** The choice to delete the worlds too. It ends with the dialog, so that the next dialog starts without it. */
function Purge({ onPurge }: { readonly onPurge: (isChosen: boolean) => void }): VNode {
  useEffect(() => () => onPurge(false), []);
  const onChange = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
    onPurge(currentTarget.checked);
  return html`<${Field}
    label=${words.gameServers.purge}
    name="purge"
    type="checkbox"
    onChange=${onChange}
  />`;
}
