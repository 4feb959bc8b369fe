import type { VNode } from "preact";

import type { AnswerOf, BodyOf } from "../../api/call.ts";
import type { Problem } from "../../api/problem.ts";
import { Field, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { Options, optionsOf } from "../../parts/options.ts";
import { words } from "../../words/words.ts";
import { SlugField, TitleField } from "../content/fields.ts";

export type SitePage = AnswerOf<"GET /admin/pages/{slug}">;

export type PageValues = Required<BodyOf<"POST /admin/pages">>;

const empty: PageValues = {
  title: "",
  slug: "",
  nav_order: null,
  audience: "anonymous",
  status: "draft",
  body: "",
};

export function toValues(page: SitePage | null): PageValues {
  if (!page) return empty;
  const { title, slug, nav_order, audience, status, body = "" } = page;
  return { title, slug, nav_order, audience, status, body };
}

export const readForm = (values: FormData): PageValues => ({
  title: readTextField(values, "title").trim(),
  slug: readTextField(values, "slug").trim(),
  nav_order:
    readTextField(values, "nav_order") === "" ? null : Number(readTextField(values, "nav_order")),
  audience: readTextField(values, "audience") as PageValues["audience"],
  status: readTextField(values, "status") as PageValues["status"],
  body: readTextField(values, "body").replaceAll("\r\n", "\n"),
});

export const describeValues = (values: PageValues): string =>
  [
    `${words.content.title}: ${values.title}`,
    `${words.content.slug}: ${values.slug}`,
    `${words.sitePages.position}: ${values.nav_order ?? "–"}`,
    `${words.sitePages.audience}: ${words.sitePages.audiences[values.audience]}`,
    `${words.content.status}: ${words.content.textStatuses[values.status]}`,
    "",
    values.body,
  ].join("\n");

interface FieldsProps {
  readonly values: PageValues;
  readonly problem: Problem | null;
}

export function PageFields({ values, problem }: FieldsProps): VNode {
  return html`<div class="fields">
    <${TitleField} value=${values.title} problem=${problem} />
    <${SlugField} value=${values.slug} problem=${problem} />
    <${Field}
      label=${words.sitePages.position}
      hint=${words.sitePages.positionHint}
      name="nav_order"
      type="number"
      min="0"
      max="9999"
      defaultValue=${values.nav_order ?? ""}
      problem=${problem}
    />
  </div>`;
}

export function PageStatus({ values, problem }: FieldsProps): VNode {
  return html`<div class="fields">
    <${Field} as="select" label=${words.sitePages.audience} name="audience" problem=${problem}>
      <${Options} options=${optionsOf(words.sitePages.audiences)} chosen=${values.audience} />
    <//>
    <${Field} as="select" label=${words.content.status} name="status" problem=${problem}>
      <${Options} options=${optionsOf(words.content.textStatuses)} chosen=${values.status} />
    <//>
  </div>`;
}
