import type { VNode } from "preact";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { Filters } from "../../parts/filters.ts";
import { Field } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { MoreButton } from "../../parts/pager.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { usePagedList } from "../../parts/use-pages.ts";
import { setQuery, useLocation } from "../../shell/router.ts";
import { words } from "../../words/words.ts";

export type ActivityEntry = AnswerOf<"GET /admin/activity">["activity"][number];

/** The log of what people and programs did, the newest first. */
export function Activity(): VNode {
  const { query } = useLocation();
  const action = query.get("action") ?? "";
  const actor = Number(query.get("actor")) || undefined;
  const log = usePagedList(`${action} ${actor}`, async (before) => {
    const filter = { action, ...(actor && { actor }), ...(before && { before }) };
    const { activity, nextBefore } = await callApi("GET /admin/activity", { query: filter });
    return { entries: activity, next: nextBefore ?? undefined };
  });
  return html`<h1>${words.pages.activity}</h1>
    <${Filters} key=${`${action} ${actor}`} label=${words.activity.filters}>
      <${Field}
        label=${words.activity.action}
        hint=${words.activity.actionHint}
        name="action"
        type="search"
        maxlength="100"
        defaultValue=${action}
      />
      <${Field}
        label=${words.activity.actor}
        hint=${words.activity.actorHint}
        name="actor"
        type="number"
        min="1"
        defaultValue=${actor ?? ""}
      />
    <//>
    <${ReadStateView} read=${log}>
      ${(entries: readonly ActivityEntry[]) =>
        html`<${EntryTable} entries=${entries} />
          <${MoreButton} hasMore=${log.hasMore} onMore=${log.more} />`}
    <//>`;
}

function EntryTable({ entries }: { readonly entries: readonly ActivityEntry[] }): VNode {
  const { time, actor, action, target, detail, none } = words.activity;
  const rows = entries.map((entry) => ({
    key: entry.id,
    cells: [
      formatTime(entry.at),
      html`<${Actor} actor=${entry.actor} />`,
      html`<code>${entry.action}</code>`,
      entry.target && html`${entry.target.type} <code>${entry.target.id}</code>`,
      html`<${Detail} detail=${entry.detail} />`,
    ],
  }));
  return html`<${Table}
    label=${words.pages.activity}
    heads=${[time, actor, action, target, detail]}
    rows=${rows}
    none=${none}
  />`;
}

/** The acting user. A click shows only the actions of this user. */
function Actor({ actor }: { readonly actor: ActivityEntry["actor"] }): VNode {
  if (!actor) return html`<span class="soft">${words.activity.service}</span>`;
  const { id, username, token } = actor;
  return html`<button
      type="button"
      class="link"
      onClick=${() => setQuery({ actor: String(id) })}
    >
      <bdi>${username ?? words.activity.deletedUser(id)}</bdi>
    </button>
    ${token && html`<br />${words.activity.byToken(token.name ?? String(token.id))}`}`;
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

function Detail({ detail }: { readonly detail: ActivityEntry["detail"] }): VNode {
  const shown = Object.entries(detail);
  return html`${shown.map(
    ([name, value]) =>
      html`<div key=${name}><span class="soft">${name}:</span> <bdi>${textOf(value)}</bdi></div>`,
  )}`;
}
