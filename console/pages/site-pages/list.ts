import type { VNode } from "preact";

import type { AnswerOf } from "../../api/call.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { pageUrlOf } from "../content/address.ts";

/** All pages of the site, such as rules and imprint. The service returns them all at once. */
export function SitePages(): VNode {
  const read = useApiRead("GET /admin/pages", {});
  return html`<div class="row">
      <h1>${words.pages.sitePages}</h1>
      <a class="button" href="/console/pages/new">${words.sitePages.create}</a>
    </div>
    <p class="soft">${words.sitePages.hint}</p>
    <${ReadStateView} read=${read}>
      ${(data: AnswerOf<"GET /admin/pages">) => html`<${PageTable} data=${data} />`}
    <//>`;
}

function PageTable({ data: { pages } }: { readonly data: AnswerOf<"GET /admin/pages"> }): VNode {
  const { title, status, updated, textStatuses } = words.content;
  const { position, audience, audiences, none } = words.sitePages;
  const rows = pages.map((page) => ({
    key: page.slug,
    cells: [
      html`<a href=${pageUrlOf("/console/pages", page.slug)}>${page.title}</a>`,
      page.nav_order ?? "–",
      audiences[page.audience],
      textStatuses[page.status],
      formatTime(page.updated_at),
    ],
  }));
  return html`<${Table}
    label=${words.pages.sitePages}
    heads=${[title, { text: position, isNumber: true }, audience, status, updated]}
    rows=${rows}
    none=${none}
  />`;
}
