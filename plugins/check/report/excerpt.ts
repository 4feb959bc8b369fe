const longest = 400;

/** Control characters, which a terminal would execute, and unpaired surrogates, which it cannot show. */
const unseen = /[\p{Cc}\p{Cs}]/gu;

/** Matches a key. Reports hide all of it except its prefix. */
const secret = /(gh[kr]_)[\w-]{8,}/g;

/** Returns the start of a text on one line, without secrets. */
export function excerptOf(text: string): string {
  const shown = text.slice(0, longest).replaceAll(secret, "$1…").replaceAll(unseen, escaped);
  const left = text.length - longest;
  return left > 0 ? `${shown}… (${left} characters more)` : shown;
}

const escaped = (sign: string): string =>
  `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;

export function formatValueExcerpt(value: unknown): string {
  if (value === undefined) return "nothing";
  try {
    return excerptOf(JSON.stringify(value));
  } catch {
    // The value is nested too deeply to be serialized.
    return "a value that cannot be shown";
  }
}
