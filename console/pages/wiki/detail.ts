import type { VNode } from "preact";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { useApiRead } from "../../parts/use-read.ts";
import type { PageProps } from "../../shell/frame.ts";
import { useNavigate } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { pageUrlOf } from "../content/address.ts";
import { Editor } from "../content/editor.ts";
import { omitEmptySlug } from "../content/fields.ts";
import { runIfUnchanged } from "../content/unchanged.ts";
import {
  describeValues,
  readForm,
  toValues,
  WikiFields,
  type WikiPage,
  WikiStatus,
  type WikiValues,
} from "./form.ts";

const list = "/console/wiki";
const backToList = () => html`<p><a href=${list}>${words.wiki.toList}</a></p>`;

/** Returns a function that opens the page of a stored text, unless the person has left this page. */
function useOpenPage(): (page: WikiPage) => void {
  const open = useNavigate();
  return ({ slug }) => open(pageUrlOf(list, slug), { replace: true });
}

const create = (values: WikiValues) => callApi("POST /admin/wiki", { body: omitEmptySlug(values) });

const change = ({ slug, revision }: WikiPage, changes: Partial<WikiValues>) =>
  callApi("PUT /admin/wiki/{slug}", {
    path: { slug },
    body: { ...omitEmptySlug({ slug: "", ...changes }), base_revision: revision },
  });

/** Writes a new wiki page. */
export function NewWikiPage(): VNode {
  return html`${backToList()}
    <h1>${words.pages.newWikiPage}</h1>
    <${WikiEditor} stored=${null} onSaved=${useOpenPage()} />`;
}

/** Changes or deletes a wiki page. */
export function WikiDetail({ params }: PageProps): VNode {
  const slug = params["slug"] ?? "";
  const read = useApiRead("GET /admin/wiki/{slug}", { path: { slug } });
  const openPage = useOpenPage();
  const onSaved = (page: WikiPage) => {
    if (page.slug === slug) read.set(page);
    else openPage(page);
  };
  return html`${backToList()}
    <${ReadStateView} read=${read}>
      ${(page: AnswerOf<"GET /admin/wiki/{slug}">) =>
        html`<h1>${page.title}</h1>
          <${State} page=${page} />
          <${WikiEditor} stored=${page} onSaved=${onSaved} />
          <h2>${words.content.deletion}</h2>
          <${DeleteWikiPage} page=${page} />`}
    <//>
    ${read.data === null && html`<h1>${words.pages.wikiPage}</h1>`}`;
}

function State({ page }: { readonly page: WikiPage }): VNode {
  const { textStatuses, nobody, changed } = words.content;
  const former = page.redirect_from ?? [];
  return html`<p class="soft">
      ${textStatuses[page.status]} · ${page.updated_by?.username ?? nobody} ·${" "}
      ${changed(formatTime(page.updated_at), page.revision)}
    </p>
    ${former.length > 0 && html`<p class="soft">${words.wiki.former(former.join(", "))}</p>`}
    <p>
      <a href=${`${pageUrlOf(list, page.slug)}/revisions`}>${words.pages.wikiRevisions}</a>
    </p>`;
}

function WikiEditor({
  stored,
  onSaved,
}: {
  readonly stored: WikiPage | null;
  readonly onSaved: (page: WikiPage) => void;
}): VNode {
  return html`<${Editor}
    label=${words.pages.wikiPage}
    stored=${stored}
    toValues=${toValues}
    readForm=${readForm}
    describe=${describeValues}
    create=${create}
    change=${change}
    onSaved=${onSaved}
    fields=${(values: WikiValues, problem: null) => html`<${WikiFields} values=${values} problem=${problem} />`}
    fieldsBelow=${(values: WikiValues, problem: null) => html`<${WikiStatus} values=${values} problem=${problem} />`}
  />`;
}

function DeleteWikiPage({ page: { slug, title, revision } }: { readonly page: WikiPage }): VNode {
  const open = useNavigate();
  const remove = async () => {
    await runIfUnchanged(() =>
      callApi("DELETE /admin/wiki/{slug}", { path: { slug }, body: { base_revision: revision } }),
    );
    open(list, { replace: true });
  };
  return html`<${ConfirmButton}
    danger
    text=${words.wiki.remove}
    title=${words.wiki.remove}
    question=${words.wiki.removeQuestion(title)}
    confirm=${words.wiki.remove}
    onConfirm=${remove}
  />`;
}
