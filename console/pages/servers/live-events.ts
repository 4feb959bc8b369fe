import type { ComponentChildren, VNode } from "preact";

import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { Table } from "../../parts/table.ts";
import { words } from "../../words/words.ts";

export interface LiveEvent {
  readonly id: number;
  readonly kind: string;
  readonly createdAt: string;
}

/**
 * The newest events of a game server.
 * @param waiting the text while no event of the server has ever arrived; null if one has
 * @param first the first event that arrived since the page was opened
 */
export function LiveEvents({
  events,
  waiting,
  first,
  children,
}: {
  readonly events: readonly LiveEvent[];
  readonly waiting: string | null;
  readonly first: LiveEvent | null;
  readonly children?: ComponentChildren;
}): VNode {
  const { gameServers } = words;
  return html`<section>
    <h2>${gameServers.live}</h2>
    <p class="soft">${gameServers.liveHint}</p>
    ${children}
    <div role="status">
      ${waiting !== null && !first && html`<p class="notice">${waiting}</p>`}
      ${first && html`<p class="notice good">${gameServers.firstArrived(first.kind)}</p>`}
    </div>
    <${Table}
      label=${gameServers.live}
      heads=${[gameServers.event, gameServers.time]}
      rows=${events.map(({ id, kind, createdAt }) => ({
        key: id,
        cells: [html`<span class="code">${kind}</span>`, formatTime(createdAt)],
      }))}
      none=${gameServers.noEvents}
    />
  </section>`;
}
