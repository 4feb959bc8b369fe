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

type Status = NonNullable<QueryOf<"GET /admin/posts">["status"]>;

/** All news posts, the newest first, including drafts. */
export function Posts(): VNode {
  const { query } = useLocation();
  const q = query.get("q") ?? "";
  const status = (query.get("status") ?? "") as Status;
  const sent = { q, ...(status && { status }), limit, offset: readOffset(query) };
  const read = useApiRead("GET /admin/posts", { query: sent });
  return html`<div class="row">
      <h1>${words.pages.posts}</h1>
      <a class="button" href="/console/posts/new">${words.posts.create}</a>
    </div>
    <${Filters} label=${words.posts.filters}>
      <${Field} label=${words.content.search} name="q" type="search" maxlength="60" defaultValue=${q} />
      <${Filter} name="status" label=${words.content.status} value=${status} options=${optionsOf(words.content.statuses)} />
    <//>
    <${ReadStateView} read=${read}>
      ${(page: AnswerOf<"GET /admin/posts">) => html`<${PostTable} page=${page} />`}
    <//>`;
}

function PostTable({ page }: { readonly page: AnswerOf<"GET /admin/posts"> }): VNode {
  const { title, status, author, published, updated, statuses } = words.content;
  const rows = page.posts.map((post) => ({
    key: post.id,
    cells: [
      html`<a href=${pageUrlOf("/console/posts", post.id)}>${post.title}</a>${post.pinned && ` · ${words.posts.pinned}`}`,
      statuses[post.status],
      post.author?.username ?? words.content.nobody,
      formatTime(post.published_at),
      formatTime(post.updated_at),
    ],
  }));
  return html`<${Table}
      label=${words.pages.posts}
      heads=${[title, status, author, published, updated]}
      rows=${rows}
      none=${words.posts.none}
    />
    <${Pager} ...${page} />`;
}
