import { limits } from "../../platform/limits.ts";
import { slugify } from "./transliteration.ts";

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
