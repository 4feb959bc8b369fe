import type { VNode } from "preact";
import { useId } from "preact/hooks";

import type { AnswerOf, BodyOf } from "../../api/call.ts";
import type { Problem } from "../../api/problem.ts";
import { Field, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { Options, optionsOf } from "../../parts/options.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { SlugField, TagsField, readTags, readTextOrNull, TitleField } from "../content/fields.ts";

export type WikiPage = AnswerOf<"GET /admin/wiki/{slug}">;

export type WikiValues = Required<BodyOf<"POST /admin/wiki">>;

const empty: WikiValues = {
  title: "",
  slug: "",
  category: null,
  tags: [],
  status: "draft",
  body: "",
  note: null,
};

export function toValues(page: WikiPage | null): WikiValues {
  if (!page) return empty;
  const { title, slug, category, tags, status, body = "" } = page;
  // A note describes a single change, so the form starts with an empty note.
  return { title, slug, category: category?.name ?? null, tags, status, body, note: null };
}

export const readForm = (values: FormData): WikiValues => ({
  title: readTextField(values, "title").trim(),
  slug: readTextField(values, "slug").trim(),
  category: readTextOrNull(values, "category"),
  tags: readTags(values),
  status: readTextField(values, "status") as WikiValues["status"],
  body: readTextField(values, "body").replaceAll("\r\n", "\n"),
  note: readTextOrNull(values, "note"),
});

export const describeValues = (values: WikiValues): string =>
  [
    `${words.content.title}: ${values.title}`,
    `${words.content.slug}: ${values.slug}`,
    `${words.wiki.category}: ${values.category ?? ""}`,
    `${words.content.tags}: ${values.tags.join(", ")}`,
    `${words.content.status}: ${words.content.textStatuses[values.status]}`,
    "",
    values.body,
  ].join("\n");

interface FieldsProps {
  readonly values: WikiValues;
  readonly problem: Problem | null;
}

export function WikiFields({ values, problem }: FieldsProps): VNode {
  return html`<div class="fields">
    <${TitleField} value=${values.title} problem=${problem} />
    <${SlugField} value=${values.slug} problem=${problem} />
    <${CategoryField} values=${values} problem=${problem} />
    <${TagsField} value=${values.tags.join(", ")} problem=${problem} />
  </div>`;
}

/** A category is typed, because the service creates one that does not exist. The known ones are suggested. */
function CategoryField({ values, problem }: FieldsProps): VNode {
  const id = useId();
  const { data } = useApiRead("GET /public/wiki/categories", {});
  return html`<${Field}
      label=${words.wiki.category}
      hint=${words.wiki.categoryHint}
      name="category"
      list=${id}
      maxlength="60"
      defaultValue=${values.category ?? ""}
      problem=${problem}
    />
    <datalist id=${id}>
      ${data?.map(({ slug, name }) => html`<option key=${slug} value=${name}></option>`)}
    </datalist>`;
}

export function WikiStatus({ values, problem }: FieldsProps): VNode {
  return html`<div class="fields">
    <${Field} as="select" label=${words.content.status} name="status" problem=${problem}>
      <${Options} options=${optionsOf(words.content.textStatuses)} chosen=${values.status} />
    <//>
    <${Field}
      label=${words.wiki.note}
      hint=${words.wiki.noteHint}
      name="note"
      maxlength="200"
      problem=${problem}
    />
  </div>`;
}
