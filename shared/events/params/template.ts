import type { Values } from "../../facts/param.ts";
import { beforeValue } from "../../platform/texts/plain-text.ts";

/**
 * `{{name}}`, with spaces allowed inside the braces. The spaces are taken off what was found: a
 * pattern that allows them on both sides of anything tries each division of a long gap.
 */
const template = /\{\{([^{}]*)\}\}/g;

const whole = /^\{\{([^{}]*)\}\}$/;

/** Names that a text asks for, each as often as it does. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(template)].map(([, name = ""]) => name.trim());

/** The name of a text that is one template and nothing else. */
export const wholeTemplate = (text: string): string | undefined => whole.exec(text)?.[1]?.trim();

/** Whether a value, or anything within it, asks for a name. */
export const hasTemplate = (value: unknown): boolean => textsIn(value).some(isTemplate);

const isTemplate = (text: string): boolean => namesIn(text).length > 0;

/** Every text within a JSON value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/**
 * Fills the templates of a JSON value. What is filled in is data: it is never read as a template. A
 * text that is one template alone takes the value with its type, a list as text, and is undefined
 * where there is none; within other text a missing value leaves nothing, and no value makes a tag of the
 * game's chat with a bracket before it.
 */
export function fill(value: unknown, values: Values): unknown {
  if (typeof value === "string") return fillText(value, values);
  if (Array.isArray(value)) return value.map((item) => fill(item, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, fill(item, values)]),
  );
}

function fillText(text: string, values: Values): unknown {
  const alone = wholeTemplate(text);
  if (alone !== undefined) {
    const value = valueOf(alone, values);
    return Array.isArray(value) ? textOf(value) : value;
  }
  let filled = "";
  let end = 0;
  for (const { 0: found, 1: name = "", index } of text.matchAll(template)) {
    const value = textOf(valueOf(name.trim(), values));
    filled = beforeValue(filled + text.slice(end, index), value) + value;
    end = index + found.length;
  }
  return filled + text.slice(end);
}

const valueOf = (name: string, values: Values): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** What stands within text for a value. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
