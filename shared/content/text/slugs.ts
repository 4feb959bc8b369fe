import { createRequire } from "node:module";

import type * as transliteration from "transliteration";

import { isUniqueViolation } from "../../platform/db/rows.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";

/** A slug: lower-case words of letters and digits, joined by hyphens. */
export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

const longestSlug = limits.content.slug;

/** Returns a slug for a text of any script; empty if no character has a Latin form. */
export const slugOf = (text: string): string =>
  cutSlug(slugify(text.normalize("NFC").replaceAll(/['’]/g, "")), longestSlug);

/** Appends a number to the slug and keeps it within the maximum length. */
export const appendSlugNumber = (slug: string, number: number): string => {
  const end = `-${number}`;
  return cutSlug(slug, longestSlug - end.length) + end;
};

/** The length of the longest suffix: a hyphen and a number. */
const longestEnd = 10;

/** Returns the prefix that a slug shares with its numbered forms: in a long slug, the number replaces the end. */
export const numberedSlugPrefixOf = (slug: string): string =>
  cutSlug(slug, longestSlug - longestEnd);

/** Cuts a slug to a length, at a hyphen if possible. */
function cutSlug(slug: string, longest: number): string {
  if (slug.length <= longest) return slug;
  const hyphen = slug.lastIndexOf("-", longest);
  return slug.slice(0, hyphen > 0 ? hyphen : longest);
}

/** The highest number tried for names with the same slug. */
const maxNumberedSlugs = 1_000;

interface SlugSource {
  /** If undefined, the slug is made from the name. */
  readonly slug?: string | undefined;
  readonly name: string;
}

/**
 * Inserts a row with the given slug, or with the first free slug derived from the name.
 * @param insert returns null if the slug is taken; it must not throw for that
 * @param nameless the slug for a name without letters and digits
 * @param refuse throws the error for a taken slug
 */
export async function insertWithSlug<Row>(
  { slug, name }: SlugSource,
  insert: (slug: string) => Promise<Row | null>,
  { nameless = "event", refuse = refuseTaken }: { nameless?: string; refuse?: () => never } = {},
): Promise<Row> {
  if (slug !== undefined) return (await insert(slug)) ?? refuse();
  const wanted = slugOf(name) || nameless;
  for (let number = 1; number <= maxNumberedSlugs; number += 1) {
    const row = await insert(number === 1 ? wanted : appendSlugNumber(wanted, number));
    if (row) return row;
  }
  return refuse();
}

function refuseTaken(): never {
  const fault = { path: "/slug", code: "taken", message: "slug is taken" } as const;
  throw new AppError("slug_taken", "The slug is taken", { faults: [fault] });
}

/** Awaits a change that can set a slug. @throws AppError slug_taken if another row has the slug */
export async function refuseTakenSlug<T>(change: Promise<T>, refuse = refuseTaken): Promise<T> {
  try {
    return await change;
  } catch (error) {
    return isUniqueViolation(error) ? refuse() : Promise.reject(error);
  }
}

const require = createRequire(import.meta.url);

// The tables of the package take 5 MB and most processes never need them. Load it synchronously, because checks
// of fields are synchronous.
const load = () => require("transliteration") as typeof transliteration;

export const transliterateText = (text: string): string => load().transliterate(text);

const slugify = (text: string): string => load().slugify(text, { allowedChars: "a-zA-Z0-9" });
