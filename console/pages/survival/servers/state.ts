import type { VNode } from "preact";

import { formatAgo, formatNumber, formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { words } from "../../../words/words.ts";
import type { Server } from "../use-servers.ts";

/** The state of a link, in a color. */
export function LinkState({ link }: { readonly link: Server["link"] }): VNode {
  const kind =
    link.status === "connected" ? "good" : link.status === "disconnected" ? "soft" : "bad";
  return html`<span class=${kind}>${words.linkStates[link.status]}</span>`;
}

/** The state of a server: its link, its world and its mods. */
export function ServerState({ server }: { readonly server: Server }): VNode {
  return html`${server.link.error && html`<p class="notice bad">${server.link.error}</p>`}
    ${server.linkCodes.problem && html`<p class="notice bad">${server.linkCodes.problem}</p>`}
    <div class="cards">
      <${LinkCard} server=${server} />
      <${WorldCard} server=${server} />
      <${ModsCard} server=${server} />
    </div>`;
}

interface OfServer {
  readonly server: Server;
}

function LinkCard({ server: { link, players, maxPlayers, queued, lastSeenAt } }: OfServer): VNode {
  const { state: text } = words.survival;
  return html`<section class="card" aria-label=${text.link}>
    <h2>${text.link}</h2>
    <dl>
      <dt>${text.status}</dt>
      <dd><${LinkState} link=${link} /></dd>
      <dt>${text.since}</dt>
      <dd>${formatTime(link.since)}</dd>
      <dt>${text.lastSeen}</dt>
      <dd>${formatAgo(lastSeenAt)}</dd>
      <dt>${text.lastEvent}</dt>
      <dd>${formatAgo(link.lastEventAt)}</dd>
      <dt>${text.players}</dt>
      <dd>${words.survival.playersOf(players, maxPlayers)}</dd>
      <dt>${text.queued}</dt>
      <dd>${formatNumber(queued)}</dd>
    </dl>
    ${link.leftOut.map(
      ({ part, count, lastAt }) =>
        html`<p key=${part} class="warn">${text.leftOut(part, count, formatTime(lastAt))}</p>`,
    )}
  </section>`;
}

function WorldCard({ server: { map, link, lastWipe, nextWipe, wipeTimezone } }: OfServer): VNode {
  const { state: text } = words.survival;
  return html`<section class="card" aria-label=${text.world}>
    <h2>${text.world}</h2>
    <dl>
      <dt>${text.worldReady}</dt>
      <dd>${link.worldReady ? words.yes : words.no}</dd>
      <dt>${text.map}</dt>
      <dd>${map?.level ?? "–"}</dd>
      <dt>${text.seed}</dt>
      <dd>${map?.seed ?? "–"}</dd>
      <dt>${text.size}</dt>
      <dd>${formatNumber(map?.worldSize ?? null)}</dd>
      <dt>${text.lastWipe}</dt>
      <dd>${formatTime(lastWipe)}</dd>
      <dt>${text.nextWipe}</dt>
      <dd>${formatTime(nextWipe)}</dd>
      <dt>${text.timeZone}</dt>
      <dd>${wipeTimezone ?? "–"}</dd>
    </dl>
  </section>`;
}

function ModsCard({ server: { framework, link, helpers } }: OfServer): VNode {
  const { state: text } = words.survival;
  return html`<section class="card" aria-label=${text.mods}>
    <h2>${text.mods}</h2>
    <dl>
      <dt>${text.framework}</dt>
      <dd>${framework ?? "–"}</dd>
      <dt>${text.plugin}</dt>
      <dd>${link.pluginVersion ?? "–"}</dd>
      ${helpers.map(
        ({ id, name, version, loaded }) =>
          html`<dt key=${id}>${name ?? id}</dt>
            <dd>${loaded ? (version ?? words.yes) : text.notLoaded}</dd>`,
      )}
    </dl>
  </section>`;
}
