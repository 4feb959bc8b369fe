/** The placeholder that stands for any text in documented outputs. */
const anything = "…";

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

const isLike = (shown: string, text: string): boolean =>
  new RegExp(`^${shown.split(anything).map(escape).join("[\\s\\S]*")}$`, "u").test(text);

/**
 * Returns true if a text equals the documented text. In the documented text, `…` stands for any
 * text, including newlines.
 */
export const isTextAsShown = (shown: string, text: string): boolean =>
  isLike(shown.trim(), text.trim());

/**
 * Returns true if a JSON value equals the documented value. An object may have additional members.
 * A list may have additional items if the last documented item is `"…"`.
 */
export function isValueAsShown(shown: unknown, value: unknown): boolean {
  if (typeof shown === "string") {
    return shown === anything || (typeof value === "string" && isLike(shown, value));
  }
  if (Array.isArray(shown)) return Array.isArray(value) && isListAsShown(shown, value);
  if (typeof shown !== "object" || shown === null) return shown === value;
  if (typeof value !== "object" || value === null) return false;
  const has = new Map<string, unknown>(Object.entries(value));
  return Object.entries(shown).every(
    ([name, inner]) => has.has(name) && isValueAsShown(inner, has.get(name)),
  );
}

function isListAsShown(shown: readonly unknown[], list: readonly unknown[]): boolean {
  const isOpen = shown.at(-1) === anything;
  const items = isOpen ? shown.slice(0, -1) : shown;
  if (isOpen ? list.length < items.length : list.length !== items.length) return false;
  return items.every((item, at) => isValueAsShown(item, list[at]));
}
