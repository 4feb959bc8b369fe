import type { VNode } from "preact";

import { formatAgo } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { Table } from "../../parts/table.ts";
import { words } from "../../words/words.ts";
import type { Server, ShardLink } from "./link-status.ts";

type PluginFacts = Pick<ShardLink, "status" | "hasKey" | "keyLastUsedAt">;

function advisePlugin({ status, hasKey, keyLastUsedAt }: PluginFacts): string {
  const { advice } = words.gameServers;
  if (!hasKey) return advice.noKey;
  if (status === "error") return advice.pluginRefused;
  return keyLastUsedAt === null
    ? advice.pluginNeverCalled
    : advice.pluginSilent(formatAgo(keyLastUsedAt));
}

const adviseSidecar = ({ status }: Pick<ShardLink, "status">): string =>
  status === "error"
    ? words.gameServers.advice.sidecarRefuses
    : words.gameServers.advice.sidecarAway;

/** Returns what a person can do so that the shard is linked; nothing if it is. */
export function listShardAdvice(link: ShardLink): readonly string[] {
  const { advice } = words.gameServers;
  if (!link.enabled) return [advice.off];
  if (link.status === "connected") return isGameAway(link) ? [advice.gameAway] : [];
  const own = {
    plugin: () => advisePlugin(link),
    sidecar: () => adviseSidecar(link),
    status: () => advice.statusAway,
  };
  const isUnread = link.stats.owner === null || link.stats.owner === undefined;
  return [...(isUnread ? [advice.noIngest] : []), own[link.kind](), advice.doctor];
}

function isGameAway({ kind, health }: ShardLink): boolean {
  // The generated type leaves out that `health` may be null.
  const answer = (health ?? {}) as { readonly pluginConnected?: boolean };
  return kind === "sidecar" && answer.pluginConnected === false;
}

/** Returns what a person can do so that a survival server is linked; nothing if it is. */
export function listServerAdvice(server: Server): readonly string[] {
  const { advice } = words.gameServers;
  const { enabled, kind, link } = server;
  if (!enabled) return [advice.off];
  if (link.status === "connected") return [];
  const own = {
    plugin: () => advisePlugin({ ...server, status: link.status }),
    sidecar: () => adviseSidecar(link),
    webrcon: () => (link.status === "error" ? advice.consoleRefuses : advice.consoleAway),
  };
  return [own[kind](), ...(link.error === null ? [advice.noIngest] : []), advice.doctor];
}

/** Shows why a link is down and what to do. Nothing if the link works. */
export function LinkAdvice({
  reason,
  advice,
  kind,
}: {
  readonly reason: string | null;
  readonly advice: readonly string[];
  readonly kind: ShardLink["kind"] | Server["kind"];
}): VNode | null {
  if (advice.length === 0) return null;
  return html`<section class="notice" aria-label=${words.gameServers.help}>
    <h2>${words.gameServers.help}</h2>
    ${reason !== null && html`<p>${words.gameServers.reason}: <strong>${reason}</strong></p>`}
    <ul>
      ${advice.map((text) => html`<li key=${text}>${text}</li>`)}
    </ul>
    ${kind === "plugin" && html`<${PluginTexts} />`}
  </section>`;
}

/** The messages that a plugin prints on its game server while it is not linked, each with advice. */
function PluginTexts(): VNode {
  const { title, heads, rows } = words.gameServers.prints;
  return html`<details>
    <summary>${title}</summary>
    <${Table}
      label=${title}
      heads=${heads}
      rows=${rows.map((cells) => ({ key: cells[0] ?? "", cells }))}
      none=${words.none}
    />
  </details>`;
}
