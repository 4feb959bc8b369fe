const longest = 400;

/** Control characters and halves of characters, which a terminal would act on or not show. */
const unseen = /[\p{Cc}\p{Cs}]/gu;

/** The secret of a key, which no report shows. */
const secret = /(gh[kr]_)[\w-]{8,}/g;

/** The beginning of what was sent, on one line and without secrets. */
export function excerptOf(text: string): string {
  const shown = text.slice(0, longest).replaceAll(secret, "$1…").replaceAll(unseen, escaped);
  const left = text.length - longest;
  return left > 0 ? `${shown}… (${left} characters more)` : shown;
}

const escaped = (sign: string): string =>
  `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;

/** A value as JSON, cut. */
export function valueOf(value: unknown): string {
  if (value === undefined) return "nothing";
  try {
    return excerptOf(JSON.stringify(value));
  } catch {
    // It nests deeper than a serializer can follow.
    return "a value that cannot be shown";
  }
}
