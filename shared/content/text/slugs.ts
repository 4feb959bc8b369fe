import { createRequire } from "node:module";

import type * as transliteration from "transliteration";

import { isUniqueViolation } from "../../platform/db/rows.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";

/** What a slug looks like: words of small letters and digits, with hyphens between them. */
export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

const longestSlug = limits.content.slug;

/** A slug of a text of any script; empty where nothing of the text has a sound or a number. */
export const slugOf = (text: string): string =>
  cutSlug(slugify(text.normalize("NFC").replaceAll(/['’]/g, "")), longestSlug);

/** The slug with a number behind it, within the longest one. */
export const numberedSlug = (slug: string, number: number): string => {
  const end = `-${number}`;
  return cutSlug(slug, longestSlug - end.length) + end;
};

/** Characters of the highest number that stands behind a slug, with its hyphen. */
const longestEnd = 10;

/** What a slug has in common with itself numbered: a number may stand where its end was cut off. */
export const numberedStem = (slug: string): string => cutSlug(slug, longestSlug - longestEnd);

/** Cuts between words where it can. */
function cutSlug(slug: string, longest: number): string {
  if (slug.length <= longest) return slug;
  const hyphen = slug.lastIndexOf("-", longest);
  return slug.slice(0, hyphen > 0 ? hyphen : longest);
}

/** Names that derive one slug get a number, up to this one. */
const mostAlike = 1_000;

interface Named {
  /** Derived from the name when it is not given. */
  readonly slug?: string | undefined;
  readonly name: string;
}

/**
 * Inserts under the slug that was given, or under the first free one of those that the name gives.
 * @param insert answers null when the slug is taken; it may not fail for that
 * @param nameless the slug of a name that nothing can be made of
 * @param refuse throws that the slug is taken
 */
export async function insertUnderSlug<Row>(
  { slug, name }: Named,
  insert: (slug: string) => Promise<Row | null>,
  { nameless = "event", refuse = refuseTaken }: { nameless?: string; refuse?: () => never } = {},
): Promise<Row> {
  if (slug !== undefined) return (await insert(slug)) ?? refuse();
  const wanted = slugOf(name) || nameless;
  for (let number = 1; number <= mostAlike; number += 1) {
    const row = await insert(number === 1 ? wanted : numberedSlug(wanted, number));
    if (row) return row;
  }
  return refuse();
}

function refuseTaken(): never {
  const fault = { path: "/slug", code: "taken", message: "slug is taken" } as const;
  throw new AppError("slug_taken", "The slug is taken", { faults: [fault] });
}

/** Runs a change that may set a slug. @throws AppError slug_taken when another one has it */
export async function refusingTakenSlug<T>(change: Promise<T>, refuse = refuseTaken): Promise<T> {
  try {
    return await change;
  } catch (error) {
    return isUniqueViolation(error) ? refuse() : Promise.reject(error);
  }
}

const require = createRequire(import.meta.url);

// Its tables take five megabytes, and most processes never need them. Those that do cannot wait: a
// field is checked by it.
const load = () => require("transliteration") as typeof transliteration;

/** A text of any script in Latin letters. */
export const transliterate = (text: string): string => load().transliterate(text);

/** The same as words of small letters and digits, with hyphens between them. */
const slugify = (text: string): string => load().slugify(text, { allowedChars: "a-zA-Z0-9" });
