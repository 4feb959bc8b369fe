import type { VNode } from "preact";

import { type AnswerOf, callApi, type QueryOf } from "../../../api/call.ts";
import { Filter, Filters } from "../../../parts/filters.ts";
import { formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { optionsOf } from "../../../parts/options.ts";
import { MoreButton } from "../../../parts/pager.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { usePagedList } from "../../../parts/use-pages.ts";
import { useLocation } from "../../../shell/router.ts";
import { words } from "../../../words/words.ts";
import { SitePageHeading } from "../heads.ts";
import { type ServerList, useServers } from "../use-servers.ts";

type Query = QueryOf<"GET /admin/survival/ledger">;
type Entry = AnswerOf<"GET /admin/survival/ledger">["ledger"][number];

/** The changes that the site made on survival servers, newest first. */
export function SurvivalLedger(): VNode {
  const { ledger: text } = words.survival;
  const { query } = useLocation();
  const servers = useServers();
  const [server, what, state] = ["server", "what", "state"].map((name) => query.get(name) ?? "");
  const pages = usePagedList<Entry>(`${server} ${what} ${state}`, async (before) => {
    const filter = { ...(server && { server }), ...(what && { what }), ...(state && { state }) };
    const answer = await callApi("GET /admin/survival/ledger", {
      query: { ...filter, limit: 50, ...(before !== undefined && { before }) } as unknown as Query,
    });
    return { entries: answer.ledger, next: answer.next };
  });
  return html`<${SitePageHeading} title=${words.survival.tabs.ledger} />
    <p class="soft">${text.hint}</p>
    <${Filters} label=${text.filter}>
      <${Filter} name="server" label=${text.server} value=${server} options=${servers.options} />
      <${Filter} name="what" label=${text.what} value=${what} options=${optionsOf(text.whats)} />
      <${Filter} name="state" label=${text.state} value=${state} options=${optionsOf(text.states)} />
    <//>
    <${ReadStateView} read=${pages}>
      ${(entries: readonly Entry[]) =>
        html`<${LedgerTable} entries=${entries} servers=${servers} />
          <${MoreButton} hasMore=${pages.hasMore} onMore=${pages.more} />`}
    <//>`;
}

function LedgerTable({
  entries,
  servers,
}: {
  readonly entries: readonly Entry[];
  readonly servers: ServerList;
}): VNode {
  const { ledger: text } = words.survival;
  const rows = entries.map((entry) => ({
    key: entry.id,
    cells: [
      formatTime(entry.pushedAt),
      servers.nameOf(entry.serverId),
      text.whats[entry.what],
      html`<span class="code">${entry.ref}</span>`,
      html`<span class=${kinds[entry.state]}>${text.states[entry.state]}</span>`,
      entry.reason ?? "–",
      entry.runId === null
        ? "–"
        : html`<a href=${`/console/runs/${entry.runId}`}>${text.run(entry.runId)}</a>`,
    ],
  }));
  const heads = [text.time, text.server, text.what, text.ref, text.state, text.reason, text.cause];
  return html`<${Table} label=${words.survival.tabs.ledger} heads=${heads} rows=${rows} none=${text.none} />`;
}

const kinds: Readonly<Record<Entry["state"], string>> = {
  pushed: "warn",
  confirmed: "good",
  expired: "soft",
  withdrawn: "soft",
  failed: "bad",
  lost: "bad",
};
