import type { VNode } from "preact";

import type { Problem } from "../../api/problem.ts";
import { Field, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { words } from "../../words/words.ts";

interface FieldProps {
  readonly value: string;
  readonly problem: Problem | null;
}

export const TitleField = ({ value, problem }: FieldProps): VNode =>
  html`<${Field}
    label=${words.content.title}
    name="title"
    defaultValue=${value}
    maxlength="150"
    required
    problem=${problem}
  />`;

export const SlugField = ({ value, problem }: FieldProps): VNode =>
  html`<${Field}
    label=${words.content.slug}
    hint=${words.content.slugHint}
    name="slug"
    defaultValue=${value}
    maxlength="80"
    autocapitalize="none"
    spellcheck=${false}
    problem=${problem}
  />`;

export const TagsField = ({ value, problem }: FieldProps): VNode =>
  html`<${Field}
    label=${words.content.tags}
    hint=${words.content.tagsHint}
    name="tags"
    defaultValue=${value}
    problem=${problem}
  />`;

/** Returns the tags that were typed, separated by commas. */
export const readTags = (values: FormData): string[] => [
  ...new Set(
    readTextField(values, "tags")
      .split(",")
      .map((tag) => tag.trim().toLowerCase())
      .filter((tag) => tag !== ""),
  ),
];

/** Returns a text that may be left out: null if the field is empty. */
export const readTextOrNull = (values: FormData, name: string): string | null =>
  readTextField(values, name).trim() || null;

/** Returns the fields of a new text without an empty slug: the service then makes one from the title. */
export function omitEmptySlug<Values extends { readonly slug: string }>({
  slug,
  ...others
}: Values): Omit<Values, "slug"> & { slug?: string } {
  return slug === "" ? others : { ...others, slug };
}
