import type { VNode } from "preact";

import { type AnswerOf, callApi } from "../../../api/call.ts";
import { Filter, Filters } from "../../../parts/filters.ts";
import { formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { MoreButton } from "../../../parts/pager.ts";
import { ReadStateView, ProblemView } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { useAction } from "../../../parts/use-action.ts";
import { usePagedList } from "../../../parts/use-pages.ts";
import { useLocation } from "../../../shell/router.ts";
import { useAccessCheck } from "../../../shell/session.ts";
import { words } from "../../../words/words.ts";
import { describeEvent } from "./event-text.ts";

export type StoredEvent = AnswerOf<"GET /admin/survival/servers/{id}/events">["events"][number];

/** The events of the server, newest first. Chat messages can be hidden from the public feed. */
export function ServerEvents({ serverId }: { readonly serverId: number }): VNode {
  const kind = useLocation().query.get("kind") ?? "";
  const { events: text } = words.survival;
  const pages = usePagedList<StoredEvent>(`${serverId} ${kind}`, async (before) => {
    const query = { limit: 50, ...(kind && { kind }), ...(before !== undefined && { before }) };
    const path = { id: serverId };
    const answer = await callApi("GET /admin/survival/servers/{id}/events", { path, query });
    return { entries: answer.events, next: answer.next };
  });
  const kinds = Object.entries(text.kinds).map(([value, label]) => ({ value, text: label }));
  const show = (changed: StoredEvent) =>
    pages.update((events) => events.map((one) => (one.id === changed.id ? changed : one)));
  return html`<h2>${text.title}</h2>
    <div class="row">
      <${Filters} label=${text.filter}>
        <${Filter} name="kind" label=${text.kind} value=${kind} options=${kinds} />
      <//>
      <button type="button" onClick=${() => void pages.reload()}>${words.actions.reload}</button>
    </div>
    <${ReadStateView} read=${pages}>
      ${(events: readonly StoredEvent[]) =>
        html`<${EventTable} serverId=${serverId} events=${events} onChanged=${show} />
          <${MoreButton} hasMore=${pages.hasMore} onMore=${pages.more} />`}
    <//>`;
}

function EventTable({
  serverId,
  events,
  onChanged,
}: {
  readonly serverId: number;
  readonly events: readonly StoredEvent[];
  readonly onChanged: (event: StoredEvent) => void;
}): VNode {
  const { events: text } = words.survival;
  const action = useAction();
  const hide = (event: StoredEvent) =>
    action.run(async () => {
      const path = { id: serverId, eventId: event.id };
      const body = { hidden: event.hiddenAt === null };
      const answer = await callApi("PUT /admin/survival/servers/{id}/events/{eventId}", {
        path,
        body,
      });
      onChanged(answer.event);
    });
  const rows = events.map((event) => ({
    key: event.id,
    cells: [
      formatTime(event.t),
      text.kinds[event.kind as "player.chat"] ?? event.kind,
      describeEvent(event),
      html`<${HideButton} event=${event} onHide=${hide} />`,
    ],
  }));
  return html`<${ProblemView} problem=${action.problem} />
    <${Table}
      label=${text.title}
      heads=${[text.time, text.kind, text.what, text.actions]}
      rows=${rows}
      none=${text.none}
    />`;
}

function HideButton({
  event,
  onHide,
}: {
  readonly event: StoredEvent;
  readonly onHide: (event: StoredEvent) => Promise<unknown>;
}): VNode | null {
  const { events: text } = words.survival;
  const may = useAccessCheck();
  if (event.kind !== "player.chat") return null;
  if (!may("PUT /admin/survival/servers/{id}/events/{eventId}")) return null;
  const isHidden = event.hiddenAt !== null;
  return html`<button type="button" onClick=${() => void onHide(event)}>
      ${isHidden ? text.show : text.hide}
    </button>
    ${isHidden && html`<span class="soft"> ${text.hidden}</span>`}`;
}
