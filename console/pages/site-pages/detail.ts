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
  PageFields,
  PageStatus,
  type PageValues,
  readForm,
  type SitePage,
  toValues,
} from "./form.ts";

const list = "/console/pages";
const backToList = () => html`<p><a href=${list}>${words.sitePages.toList}</a></p>`;

/** Returns a function that opens the page of a stored text, unless the person has left this page. */
function useOpenPage(): (page: SitePage) => void {
  const open = useNavigate();
  return ({ slug }) => open(pageUrlOf(list, slug), { replace: true });
}

const create = (values: PageValues) =>
  callApi("POST /admin/pages", { body: omitEmptySlug(values) });

const change = ({ slug, revision }: SitePage, changes: Partial<PageValues>) =>
  callApi("PUT /admin/pages/{slug}", {
    path: { slug },
    body: { ...omitEmptySlug({ slug: "", ...changes }), base_revision: revision },
  });

/** Writes a new page of the site. */
export function NewSitePage(): VNode {
  return html`${backToList()}
    <h1>${words.pages.newSitePage}</h1>
    <${PageEditor} stored=${null} onSaved=${useOpenPage()} />`;
}

/** Changes or deletes a page of the site. */
export function SitePageDetail({ params }: PageProps): VNode {
  const slug = params["slug"] ?? "";
  const read = useApiRead("GET /admin/pages/{slug}", { path: { slug } });
  const openPage = useOpenPage();
  const onSaved = (page: SitePage) => {
    if (page.slug === slug) read.set(page);
    else openPage(page);
  };
  return html`${backToList()}
    <${ReadStateView} read=${read}>
      ${(page: AnswerOf<"GET /admin/pages/{slug}">) =>
        html`<h1>${page.title}</h1>
          <p class="soft">
            ${words.content.textStatuses[page.status]} ·${" "}
            ${words.content.changed(formatTime(page.updated_at), page.revision)}
          </p>
          <${PageEditor} stored=${page} onSaved=${onSaved} />
          <h2>${words.content.deletion}</h2>
          <${DeletePage} page=${page} />`}
    <//>
    ${read.data === null && html`<h1>${words.pages.sitePage}</h1>`}`;
}

function PageEditor({
  stored,
  onSaved,
}: {
  readonly stored: SitePage | null;
  readonly onSaved: (page: SitePage) => void;
}): VNode {
  return html`<${Editor}
    label=${words.pages.sitePage}
    stored=${stored}
    toValues=${toValues}
    readForm=${readForm}
    describe=${describeValues}
    create=${create}
    change=${change}
    onSaved=${onSaved}
    fields=${(values: PageValues, problem: null) => html`<${PageFields} values=${values} problem=${problem} />`}
    fieldsBelow=${(values: PageValues, problem: null) => html`<${PageStatus} values=${values} problem=${problem} />`}
  />`;
}

function DeletePage({ page: { slug, title, revision } }: { readonly page: SitePage }): VNode {
  const open = useNavigate();
  const remove = async () => {
    await runIfUnchanged(() =>
      callApi("DELETE /admin/pages/{slug}", { path: { slug }, body: { base_revision: revision } }),
    );
    open(list, { replace: true });
  };
  return html`<${ConfirmButton}
    danger
    text=${words.sitePages.remove}
    title=${words.sitePages.remove}
    question=${words.sitePages.removeQuestion(title)}
    confirm=${words.sitePages.remove}
    onConfirm=${remove}
  />`;
}
