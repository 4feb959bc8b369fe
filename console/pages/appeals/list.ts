import type { VNode } from "preact";

import type { AnswerOf } from "../../api/call.ts";
import { Filter, Filters } from "../../parts/filters.ts";
import { formatAgo, formatNumber } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { readOffset, Pager } from "../../parts/pager.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useLocation } from "../../shell/router.ts";
import { useSession } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { type AppealState, assigneeOf, type StaffAppeal } from "./states.ts";

const limit = 50;
const everyMs = 30_000;

type Counts = AnswerOf<"GET /admin/appeals">["counts"];

/** The appeals against bans, the oldest first. */
export function Appeals(): VNode {
  const { query } = useLocation();
  const offset = readOffset(query);
  const state = stateNamed(query.get("state"));
  const assignee = query.get("assignee") ?? "";
  const read = useApiRead(
    "GET /admin/appeals",
    { query: { ...(state && { state }), ...assigneeFilter(assignee), limit, offset } },
    everyMs,
  );
  return html`<h1>${words.pages.appeals}</h1>
    <${SearchForm} state=${state ?? ""} assignee=${assignee} counts=${read.data?.counts ?? null} />
    <${ReadStateView} read=${read}>
      ${({ appeals, counts }: AnswerOf<"GET /admin/appeals">) =>
        html`<${Table}
            label=${words.pages.appeals}
            heads=${[
              words.appeals.account,
              words.appeals.player,
              words.appeals.state,
              words.appeals.assignee,
              { text: words.appeals.messages, isNumber: true },
              words.appeals.opened,
            ]}
            rows=${appeals.map(rowOf)}
            none=${words.appeals.none}
          />
          <${Pager}
            total=${assignee === "" ? totalOf(counts, state) : null}
            hasMore=${appeals.length === limit}
            limit=${limit}
            offset=${offset}
          />`}
    <//>`;
}

function SearchForm({
  state,
  assignee,
  counts,
}: {
  readonly state: string;
  readonly assignee: string;
  readonly counts: Counts | null;
}): VNode {
  const { me } = useSession();
  const states = Object.entries(words.appeals.states).map(([value, text]) => ({
    value,
    text: counts ? `${text} (${formatNumber(countOf(counts, value))})` : text,
  }));
  const assignees = [
    { value: "none", text: words.appeals.nobody },
    { value: String(me.id), text: words.appeals.mine },
  ];
  return html`<${Filters} label=${words.appeals.filter}>
      <${Filter} name="state" label=${words.appeals.state} value=${state} options=${states} all=${words.appeals.everyState} />
      <${Filter} name="assignee" label=${words.appeals.assignee} value=${assignee} options=${assignees} all=${words.appeals.everybody} />
    <//>`;
}

const rowOf = (appeal: StaffAppeal) => ({
  key: appeal.id,
  cells: [
    html`<a href=${`/console/appeals/${appeal.id}`}>${appeal.account}</a>`,
    appeal.user.username,
    words.appeals.states[appeal.state],
    assigneeOf(appeal)?.username ?? words.appeals.nobody,
    formatNumber(appeal.messages_count),
    formatAgo(appeal.created_at),
  ],
});

const stateNamed = (text: string | null): AppealState | undefined =>
  text !== null && Object.hasOwn(words.appeals.states, text) ? (text as AppealState) : undefined;

function assigneeFilter(text: string): { assignee?: "none" | number } {
  if (text === "none") return { assignee: "none" };
  return /^\d+$/.test(text) ? { assignee: Number(text) } : {};
}

const countOf = (counts: Counts, state: string): number => counts[state as AppealState];

/** Returns the number of appeals in a state, or of all. The counts ignore the filter by person. */
const totalOf = (counts: Counts, state: AppealState | undefined): number =>
  state ? counts[state] : Object.values(counts).reduce((sum, count) => sum + count, 0);
