import type { VNode } from "preact";

import type { AnswerOf, QueryOf } from "../../api/call.ts";
import { Field } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { setQuery, useLocation } from "../../shell/router.ts";
import { language, words } from "../../words/words.ts";
import { EventLinks } from "./links.ts";
import { formatEventScope, useScopes } from "./scope.ts";
import { setFilter } from "./set-filter.ts";

type Calendar = AnswerOf<"GET /admin/events/calendar">;
type Entry = Calendar["entries"][number];
type Status = NonNullable<QueryOf<"GET /admin/events/calendar">["status"]>;

const isStatus = (text: string): text is Status => Object.hasOwn(words.runs.statuses, text);

/** Returns the month in the address as the first day of it, in the person's time zone. */
function monthIn(query: URLSearchParams): Date {
  const given = query.get("month") ?? "";
  const now = new Date();
  if (!/^[12]\d{3}-(?:0[1-9]|1[0-2])$/.test(given)) {
    return new Date(now.getFullYear(), now.getMonth(), 1);
  }
  const [year = 0, month = 0] = given.split("-").map(Number);
  return new Date(year, month - 1, 1);
}

const monthName = (month: Date): string =>
  new Intl.DateTimeFormat(language, { month: "long", year: "numeric" }).format(month);

const addMonths = (month: Date, count: number): Date =>
  new Date(month.getFullYear(), month.getMonth() + count, 1);

const monthText = (month: Date): string =>
  `${month.getFullYear()}-${String(month.getMonth() + 1).padStart(2, "0")}`;

/** The runs and the coming dates of one month. */
export function EventCalendar(): VNode {
  const { query } = useLocation();
  const month = monthIn(query);
  const status = query.get("status") ?? "";
  const scope = query.get("scope") ?? "";
  const seriesId = Number(query.get("series") ?? 0);
  const read = useApiRead("GET /admin/events/calendar", {
    query: {
      from: month.toISOString(),
      to: addMonths(month, 1).toISOString(),
      ...(isStatus(status) && { status }),
      ...(scope && { scope }),
      ...(seriesId > 0 && { seriesId }),
    },
  });
  return html`<h1>${words.pages.eventCalendar}</h1>
    <${EventLinks} />
    <${Months} month=${month} />
    <${Filters} query=${query} />
    <${ReadStateView} read=${read}>
      ${(calendar: Calendar) => html`<${Month} calendar=${calendar} month=${month} />`}
    <//>`;
}

function Months({ month }: { readonly month: Date }): VNode {
  const go = (count: number) => setQuery({ month: monthText(addMonths(month, count)) });
  return html`<div class="buttons">
    <button type="button" onClick=${() => go(-1)}>${monthName(addMonths(month, -1))}</button>
    <h2 class="level" aria-live="polite">${monthName(month)}</h2>
    <button type="button" onClick=${() => go(1)}>${monthName(addMonths(month, 1))}</button>
  </div>`;
}

function Filters({ query }: { readonly query: URLSearchParams }): VNode {
  const { events, runs } = words;
  const scopes = useScopes();
  const series = useApiRead("GET /admin/events/series", {});
  const choices = [
    { name: "status", label: events.state, options: optionsOf(runs.statuses) },
    { name: "scope", label: events.scope, options: scopes },
    {
      name: "series",
      label: events.series,
      options: series.data?.series.map(({ id, name }) => ({ value: String(id), text: name })) ?? [],
    },
  ];
  return html`<div class="filters">
    ${choices.map(
      ({ name, label, options }) =>
        html`<${Field} key=${name} as="select" label=${label} name=${name} onChange=${setFilter(name)}>
          <option value="">${events.allStates}</option>
          ${options.map(
            ({ value, text }) =>
              html`<option key=${value} value=${value} selected=${value === query.get(name)}>
                ${text}
              </option>`,
          )}
        <//>`,
    )}
  </div>`;
}

const optionsOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([value, text]) => ({ value, text }));

function Month({ calendar, month }: { readonly calendar: Calendar; readonly month: Date }): VNode {
  const { events } = words;
  const rows = calendar.entries.map((entry) => ({
    key: `${entry.definitionId} ${entry.scheduledFor} ${entry.runId}`,
    cells: [
      formatDay(entry.scheduledFor),
      html`<${EntryLink} entry=${entry} />`,
      formatEventScope(entry.scope),
      words.runs.statuses[entry.status],
    ],
  }));
  const heads = [events.time, events.title, events.scope, events.state];
  return html`<${Table}
      label=${monthName(month)}
      heads=${heads}
      rows=${rows}
      none=${events.emptyMonth}
    />
    ${calendar.truncated && html`<p class="warn">${events.truncated(calendar.entries.length)}</p>`}
    <p class="soft">${events.horizon(formatTime(calendar.horizon))}</p>`;
}

function EntryLink({ entry }: { readonly entry: Entry }): VNode {
  const { runId, definitionId, title } = entry;
  const to = runId === null ? `/console/events/${definitionId}` : `/console/runs/${runId}`;
  return html`<a href=${to}>${title}</a>`;
}

const formatDay = (instant: string): string =>
  new Intl.DateTimeFormat(language, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  }).format(new Date(instant));
