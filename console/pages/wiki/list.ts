import type { VNode } from "preact";

import type { AnswerOf, QueryOf } from "../../api/call.ts";
import { Filter, Filters } from "../../parts/filters.ts";
import { Field } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { optionsOf } from "../../parts/options.ts";
import { readOffset, Pager } from "../../parts/pager.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useLocation } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { pageUrlOf } from "../content/address.ts";

const limit = 25;

type Status = NonNullable<QueryOf<"GET /admin/wiki">["status"]>;

/** All wiki pages in the order of their titles, including drafts. */
export function Wiki(): VNode {
  const { query } = useLocation();
  const given = (name: string) => query.get(name) ?? "";
  const [q, category, tag] = [given("q"), given("category"), given("tag")];
  const status = given("status") as Status;
  const filters = { q, category, tag, ...(status && { status }) };
  const read = useApiRead("GET /admin/wiki", {
    query: { ...filters, limit, offset: readOffset(query) },
  });
  const categories = useApiRead("GET /public/wiki/categories", {});
  const named = (categories.data ?? []).map(({ slug, name }) => ({ value: slug, text: name }));
  const isListed = category === "" || named.some(({ value }) => value === category);
  const options = isListed ? named : [...named, { value: category, text: category }];
  return html`<div class="row">
      <h1>${words.pages.wiki}</h1>
      <a class="button" href="/console/wiki/new">${words.wiki.create}</a>
    </div>
    <${Filters} label=${words.wiki.filters}>
      <${Field} label=${words.content.search} name="q" type="search" maxlength="60" defaultValue=${q} />
      <${Filter} name="category" label=${words.wiki.category} value=${category} options=${options} />
      <${Field} label=${words.wiki.tag} name="tag" maxlength="40" defaultValue=${tag} />
      <${Filter} name="status" label=${words.content.status} value=${status} options=${optionsOf(words.content.textStatuses)} />
    <//>
    <${ReadStateView} read=${read}>
      ${(page: AnswerOf<"GET /admin/wiki">) => html`<${WikiTable} page=${page} />`}
    <//>`;
}

function WikiTable({ page }: { readonly page: AnswerOf<"GET /admin/wiki"> }): VNode {
  const { title, status, tags, updated, author, textStatuses, nobody } = words.content;
  const rows = page.pages.map((one) => ({
    key: one.slug,
    cells: [
      html`<a href=${pageUrlOf("/console/wiki", one.slug)}>${one.title}</a>`,
      one.category?.name ?? "",
      one.tags.join(", "),
      textStatuses[one.status],
      one.updated_by?.username ?? nobody,
      formatTime(one.updated_at),
    ],
  }));
  return html`<${Table}
      label=${words.pages.wiki}
      heads=${[title, words.wiki.category, tags, status, author, updated]}
      rows=${rows}
      none=${words.wiki.none}
    />
    <${Pager} ...${page} />`;
}
