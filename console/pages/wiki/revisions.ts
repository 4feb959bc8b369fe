import type { VNode } from "preact";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { readOffset } from "../../parts/pager.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { Differences } from "../../parts/versions.ts";
import type { PageProps } from "../../shell/frame.ts";
import { useNavigate, setQuery, useLocation } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { pageUrlOf } from "../content/address.ts";
import { runIfUnchanged } from "../content/unchanged.ts";
import type { WikiPage } from "./form.ts";

const limit = 25;

type Revision = AnswerOf<"GET /admin/wiki/{slug}/revisions">["revisions"][number];

/** The revisions of a wiki page, each compared with the present text, and restored. */
export function WikiRevisions({ params }: PageProps): VNode {
  const slug = params["slug"] ?? "";
  const page = useApiRead("GET /admin/wiki/{slug}", { path: { slug } });
  return html`<p><a href=${pageUrlOf("/console/wiki", slug)}>${words.wiki.toPage}</a></p>
    <h1>${page.data ? words.wiki.revisionsOf(page.data.title) : words.pages.wikiRevisions}</h1>
    <${ReadStateView} read=${page}>
      ${(data: WikiPage) => html`<${Revisions} page=${data} />`}
    <//>`;
}

function Revisions({ page }: { readonly page: WikiPage }): VNode {
  const { query } = useLocation();
  const offset = readOffset(query);
  const read = useApiRead("GET /admin/wiki/{slug}/revisions", {
    path: { slug: page.slug },
    query: { limit, offset },
  });
  const compared = Number(query.get("compare"));
  return html`<${ReadStateView} read=${read}>
    ${({ revisions }: AnswerOf<"GET /admin/wiki/{slug}/revisions">) => {
      const chosen = revisions.find(({ revision }) => revision === compared);
      return html`${chosen && html`<${Comparison} page=${page} revision=${chosen} />`}
        <${RevisionTable} page=${page} revisions=${revisions} />
        <${Steps} count=${revisions.length} offset=${offset} />`;
    }}
  <//>`;
}

function RevisionTable({
  page,
  revisions,
}: {
  readonly page: WikiPage;
  readonly revisions: readonly Revision[];
}): VNode {
  const { revision: head, time, note, compare, present } = words.wiki;
  const rows = revisions.map((one) => ({
    key: one.revision,
    cells: [
      one.revision,
      formatTime(one.created_at),
      one.author?.username ?? words.content.nobody,
      one.note ?? "",
      one.revision === page.revision
        ? present
        : html`<button
            type="button"
            aria-label=${words.wiki.compareRevision(one.revision)}
            onClick=${() => setQuery({ compare: String(one.revision) })}
          >
            ${compare}
          </button>`,
    ],
  }));
  return html`<h2>${words.pages.wikiRevisions}</h2>
    <${Table}
      label=${words.pages.wikiRevisions}
      heads=${[{ text: head, isNumber: true }, time, words.content.author, note, words.wiki.actions]}
      rows=${rows}
      none=${words.none}
    />`;
}

const go = (to: number) => setQuery({ offset: to > 0 ? String(to) : "", compare: "" });

/** Links to newer and older revisions. The answer has no count, so the link to older revisions is shown if the page is full. */
function Steps({ count, offset }: { readonly count: number; readonly offset: number }): VNode {
  return html`<div class="buttons pager">
    ${
      offset > 0 &&
      html`<button type="button" onClick=${() => go(Math.max(0, offset - limit))}>
      ${words.pager.newer}
    </button>`
    }
    ${
      count === limit &&
      html`<button type="button" onClick=${() => go(offset + limit)}>${words.pager.older}</button>`
    }
  </div>`;
}

const textOf = ({ title, body }: { readonly title: string; readonly body?: string }): string =>
  `${words.content.title}: ${title}\n\n${body ?? ""}`;

function Comparison({
  page,
  revision: old,
}: {
  readonly page: WikiPage;
  readonly revision: Revision;
}): VNode {
  const { slug, revision } = page;
  const open = useNavigate();
  const title = words.wiki.comparison(old.revision);
  const restore = async () => {
    const path = { slug, rev: old.revision };
    const body = { base_revision: revision };
    await runIfUnchanged(() =>
      callApi("POST /admin/wiki/{slug}/revisions/{rev}/restore", { path, body }),
    );
    open(pageUrlOf("/console/wiki", slug));
  };
  return html`<section aria-label=${title}>
    <h2>${title}</h2>
    <${Differences}
      before=${textOf(old)}
      after=${textOf(page)}
      heads=${[words.wiki.numbered(old.revision), words.wiki.numbered(revision)]}
    />
    <div class="buttons pager">
      <${ConfirmButton}
        text=${words.wiki.restore}
        title=${words.wiki.restore}
        question=${words.wiki.restoreQuestion(old.revision)}
        confirm=${words.wiki.restore}
        onConfirm=${restore}
      />
      <button type="button" onClick=${() => setQuery({ compare: "" })}>${words.wiki.closeComparison}</button>
    </div>
  </section>`;
}
