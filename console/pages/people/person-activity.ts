import type { ComponentChildren, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { MoreButton } from "../../parts/pager.ts";
import { ProblemView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useAction } from "../../parts/use-action.ts";
import { words } from "../../words/words.ts";
import type { PersonProps } from "./person.ts";

type Entry = AnswerOf<"GET /admin/activity">["activity"][number];

interface EntryPage {
  readonly entries: readonly Entry[];
  /** `before` of the next page. Null after the last page. */
  readonly before: number | null;
  /** The time of the oldest entry that was read. */
  readonly back: string | null;
}

const limit = 100;

/** The entries of the activity log about the person, and those of the person's own actions. */
export function PersonActivity({ person: { id } }: PersonProps): VNode {
  return html`<${Entries}
      heading=${words.personActivity.about}
      hint=${words.personActivity.aboutHint}
      readPage=${(before: number | null) => readAbout(id, before)}
      showsBack
    />
    <${Entries}
      heading=${words.personActivity.by}
      readPage=${(before: number | null) => readBy(id, before)}
    />`;
}

async function readBy(actor: number, before: number | null): Promise<EntryPage> {
  const query = { actor, limit, ...(before !== null && { before }) };
  const { activity, nextBefore } = await callApi("GET /admin/activity", { query });
  return { entries: activity, before: nextBefore, back: activity.at(-1)?.at ?? null };
}

const pagesAtOnce = 5;

/** Reads some pages of the log and keeps the entries about a user. The service has no filter for them. */
async function readAbout(id: number, start: number | null): Promise<EntryPage> {
  const entries: Entry[] = [];
  let [before, back]: [number | null, string | null] = [start, null];
  for (let page = 0; page < pagesAtOnce; page += 1) {
    const query = { limit, ...(before !== null && { before }) };
    const { activity, nextBefore } = await callApi("GET /admin/activity", { query });
    entries.push(
      ...activity.filter(({ target }) => target?.type === "user" && target.id === String(id)),
    );
    before = nextBefore;
    back = activity.at(-1)?.at ?? back;
    if (before === null) break;
  }
  return { entries, before, back };
}

const nothing: EntryPage = { entries: [], before: null, back: null };

function Entries({
  heading,
  hint,
  readPage,
  showsBack = false,
}: {
  readonly heading: string;
  readonly hint?: ComponentChildren;
  readonly readPage: (before: number | null) => Promise<EntryPage>;
  readonly showsBack?: boolean;
}): VNode {
  const action = useAction();
  const [found, setFound] = useState<EntryPage | null>(null);
  const more = () =>
    action.run(async () => {
      const { entries } = found ?? nothing;
      const next = await readPage(found?.before ?? null);
      setFound({ ...next, entries: [...entries, ...next.entries] });
    });
  useEffect(() => void more(), []);
  return html`<h2>${heading}</h2>
    ${hint && html`<p>${hint}</p>`}
    <div aria-busy=${action.isRunning}>
      <${ProblemView} problem=${action.problem} />
      ${
        found &&
        html`<${EntryTable} label=${heading} entries=${found.entries} />
        ${
          showsBack &&
          found.before !== null &&
          html`<p class="soft">${words.personActivity.searchedBack(formatTime(found.back))}</p>`
        }`
      }
      <${MoreButton} onMore=${more} hasMore=${found === null ? action.problem !== null : found.before !== null} />
    </div>`;
}

function EntryTable({
  label,
  entries,
}: {
  readonly label: string;
  readonly entries: readonly Entry[];
}): VNode {
  return html`<${Table}
    label=${label}
    heads=${[
      words.personActivity.at,
      words.personActivity.action,
      words.personActivity.actor,
      words.personActivity.target,
      words.personActivity.detail,
    ]}
    rows=${entries.map((entry) => ({
      key: entry.id,
      cells: [
        formatTime(entry.at),
        html`<span class="code">${entry.action}</span>`,
        actorOf(entry),
        entry.target ? `${entry.target.type} ${entry.target.id}` : "–",
        detailOf(entry),
      ],
    }))}
    none=${words.personActivity.none}
  />`;
}

function actorOf({ actor }: Entry): ComponentChildren {
  if (!actor) return words.personActivity.site;
  const name = actor.username ?? `#${actor.id}`;
  const link = html`<a href=${`/console/people/${actor.id}`}>${name}</a>`;
  return actor.token
    ? html`${link} ${words.personActivity.withToken(actor.token.name ?? `#${actor.token.id}`)}`
    : link;
}

const detailOf = ({ detail }: Entry): string =>
  Object.entries(detail)
    .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ") || "–";
