const longest = 400;

/** Control characters and lone surrogates, which a terminal would execute or not show. */
const unseen = /[\p{Cc}\p{Cs}]/gu;

/** The secret part of a key, which reports hide. */
const secret = /(gh[kr]_)[\w-]{8,}/g;

/** Returns the start of a text on one line, without secrets. */
export function excerptOf(text: string): string {
  const shown = text.slice(0, longest).replaceAll(secret, "$1…").replaceAll(unseen, escaped);
  const left = text.length - longest;
  return left > 0 ? `${shown}… (${left} characters more)` : shown;
}

const escaped = (sign: string): string =>
  `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;

export function valueOf(value: unknown): string {
  if (value === undefined) return "nothing";
  try {
    return excerptOf(JSON.stringify(value));
  } catch {
    // The value nests deeper than the serializer can handle.
    return "a value that cannot be shown";
  }
}
