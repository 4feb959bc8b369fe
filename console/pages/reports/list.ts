import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { Filter, Filters } from "../../parts/filters.ts";
import { Field } from "../../parts/form.ts";
import { formatNumber } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { MoreButton } from "../../parts/pager.ts";
import { ReadStateView, ProblemView } from "../../parts/problem-view.ts";
import { useAction } from "../../parts/use-action.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useLocation } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { type SurvivalReport, ReportTable } from "./report-table.ts";
import { ReportTabs } from "./report-tabs.ts";

const limit = 50;
const everyMs = 30_000;

type ReportPage = AnswerOf<"GET /admin/survival/reports">;
type State = SurvivalReport["state"];

/** Returns the filters in the address, without an invalid server or state, which the service would refuse. */
function searchIn(query: URLSearchParams) {
  const [server, state] = [query.get("server") ?? "", query.get("state") ?? ""];
  return {
    ...(/^\d+$/.test(server) && { server: Number(server) }),
    ...(Object.hasOwn(words.reports.states, state) && { state: state as State }),
    target: query.get("target") ?? "",
    reporter: query.get("reporter") ?? "",
    limit,
  };
}

/** The reports that players of survival servers sent, the newest first. */
export function Reports(): VNode {
  const search = searchIn(useLocation().query);
  const key = JSON.stringify(search);
  const [reading, setReading] = useState("");
  // A new report would shift the pages and remove the older reports that the person is reading.
  const isReadingOlder = reading === key;
  const read = useApiRead(
    "GET /admin/survival/reports",
    { query: search },
    isReadingOlder ? undefined : everyMs,
  );
  return html`<h1>${words.pages.reports}</h1>
    <${ReportTabs} />
    <${SearchForm} search=${search} counts=${read.data?.counts ?? null} />
    <${ReadStateView} read=${read}>
      ${({ reports, next }: ReportPage) =>
        html`<${ReportTable} reports=${reports} none=${words.reports.none} />
          <${Older}
            key=${`${key} ${next}`}
            search=${search}
            before=${next ?? null}
            onMore=${() => setReading(key)}
          />`}
    <//>`;
}

type Search = ReturnType<typeof searchIn>;

/** The reports after the first page. They disappear if a change of the first page moves the cursor after it. */
function Older({
  search,
  before,
  onMore,
}: {
  readonly search: Search;
  readonly before: number | null;
  readonly onMore: () => void;
}): VNode {
  const action = useAction();
  const [older, setOlder] = useState<readonly SurvivalReport[]>([]);
  const [next, setNext] = useState(before);
  const more = () =>
    action.run(async () => {
      if (next === null) return;
      onMore();
      const page = await callApi("GET /admin/survival/reports", {
        query: { ...search, before: next },
      });
      setOlder((known) => [...known, ...page.reports]);
      setNext(page.next ?? null);
    });
  return html`${
    older.length > 0 &&
    html`<${ReportTable} label=${words.reports.older} reports=${older} none=${words.reports.none} />`
  }
    <${ProblemView} problem=${action.problem} />
    <${MoreButton} onMore=${more} hasMore=${next !== null} />`;
}

function SearchForm({
  search,
  counts,
}: {
  readonly search: Search;
  readonly counts: ReportPage["counts"] | null;
}): VNode {
  const { data } = useApiRead("GET /admin/survival/servers", {});
  const servers = (data?.servers ?? []).map(({ id, name }) => ({ value: String(id), text: name }));
  const states = Object.entries(words.reports.states).map(([value, text]) => {
    const count = counts?.[value as State];
    return { value, text: count === undefined ? text : `${text} (${formatNumber(count)})` };
  });
  return html`<${Filters} label=${words.reports.filter}>
    <${Filter} name="state" label=${words.reports.state} value=${search.state ?? ""} options=${states} all=${words.reports.everyState} />
    <${Filter}
      key=${String(data === null)}
      name="server"
      label=${words.reports.server}
      value=${search.server === undefined ? "" : String(search.server)}
      options=${servers}
      all=${words.reports.everyServer}
    />
    <${SteamIdField} label=${words.reports.target} name="target" value=${search.target} />
    <${SteamIdField} label=${words.reports.reporterId} name="reporter" value=${search.reporter} />
  <//>`;
}

const SteamIdField = ({
  label,
  name,
  value,
}: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
}): VNode =>
  html`<${Field}
    label=${label}
    name=${name}
    defaultValue=${value}
    inputmode="numeric"
    autocomplete="off"
    pattern="7656119[0-9]{10}"
    title=${words.reports.steamIdHint}
  />`;
