import type { VNode } from "preact";

import type { AnswerOf, QueryOf } from "../../api/call.ts";
import { Field } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { readOffset, Pager } from "../../parts/pager.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useLocation } from "../../shell/router.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { EventLinks } from "./links.ts";
import { formatEventScope } from "./scope.ts";
import { setFilter } from "./set-filter.ts";
import type { Definition } from "./types.ts";

const limit = 50;

type State = NonNullable<QueryOf<"GET /admin/events">["state"]>;

const isState = (text: string): text is State => Object.hasOwn(words.events.states, text);

/** All events, with a search and a filter by their state. */
export function EventList(): VNode {
  const { query } = useLocation();
  const may = useAccessCheck();
  const state = query.get("state") ?? "";
  const read = useApiRead("GET /admin/events", { query: isState(state) ? { state } : {} });
  return html`<h1>${words.pages.events}</h1>
    <${EventLinks} />
    <${Filters} />
    ${
      may("POST /admin/events") &&
      html`<p><a class="button" href="/console/events/new">${words.pages.eventNew}</a></p>`
    }
    <${ReadStateView} read=${read}>
      ${({ events }: AnswerOf<"GET /admin/events">) =>
        html`<${EventTable} events=${visibleOf(events, query)} />`}
    <//>`;
}

/** Returns the events that the search finds. Archived events are shown only if the filter names them. */
function visibleOf(events: readonly Definition[], query: URLSearchParams): readonly Definition[] {
  const text = (query.get("q") ?? "").trim().toLowerCase();
  const isFiltered = query.has("state");
  return events.filter(
    (event) =>
      (isFiltered || event.state !== "archived") &&
      `${event.title}\n${event.slug}\n${event.seriesName ?? ""}`.toLowerCase().includes(text),
  );
}

function Filters(): VNode {
  const { query } = useLocation();
  const { events } = words;
  const state = query.get("state") ?? "";
  return html`<form class="filters" role="search" onSubmit=${(event: Event) => event.preventDefault()}>
    <${Field}
      label=${events.search}
      name="q"
      type="search"
      defaultValue=${query.get("q") ?? ""}
      onInput=${setFilter("q")}
    />
    <${Field} as="select" label=${events.state} name="state" onChange=${setFilter("state")}>
      <option value="" selected=${state === ""}>${events.notArchived}</option>
      ${Object.entries(events.states).map(
        ([value, text]) =>
          html`<option key=${value} value=${value} selected=${value === state}>${text}</option>`,
      )}
      <option value="all" selected=${state === "all"}>${events.allStates}</option>
    <//>
  </form>`;
}

function EventTable({ events: all }: { readonly events: readonly Definition[] }): VNode {
  const { query } = useLocation();
  const { events } = words;
  const offset = readOffset(query);
  const rows = all.slice(offset, offset + limit).map((event) => ({
    key: event.id,
    cells: [
      html`<a href=${`/console/events/${event.id}`}>${event.title}</a>`,
      events.states[event.state],
      publishedText(event),
      events.scheduleKinds[event.spec.schedule?.kind ?? "manual"],
      formatEventScope(event.spec.scope ?? "shard"),
      event.seriesName ?? "–",
      formatTime(event.updatedAt),
    ],
  }));
  const heads = [
    events.title,
    events.state,
    events.published,
    events.takesPlace,
    events.scope,
    events.series,
    events.changed,
  ];
  return html`<${Table} label=${words.pages.events} heads=${heads} rows=${rows} none=${events.noEvents} />
    <${Pager} total=${all.length} limit=${limit} offset=${offset} />`;
}

/** Returns the number of the published version, and if it is unverified or older than the stored event. */
function publishedText(event: Definition): string {
  const { events } = words;
  if (event.currentVersion === null) return events.neverPublished;
  return [
    events.version(event.currentVersion),
    event.currentVersionVerifiedAt === null ? events.notVerified : "",
    event.revision === event.currentVersionRevision ? "" : events.changedSince,
  ]
    .filter(Boolean)
    .join(", ");
}
