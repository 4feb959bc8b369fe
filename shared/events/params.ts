import { type ParamValues, type Param, isTextType, findValueProblem } from "../facts/param.ts";
import { toJsonPointer, type PointerFault } from "../platform/errors/pointer-faults.ts";
import { replaceTagBracket } from "../platform/texts/plain-text.ts";

/**
 * `{{name}}`, with optional spaces inside the braces. The name is trimmed after the match, because
 * a pattern for the spaces would be slow on a text with very many spaces.
 */
const template = /\{\{([^{}]*)\}\}/g;

const whole = /^\{\{([^{}]*)\}\}$/;

/** Returns the names of a text's templates, including repeated ones. */
export const findTemplateNames = (text: string): string[] =>
  [...text.matchAll(template)].map(([, name = ""]) => name.trim());

/** Returns the name if a text consists of one template only. */
export const findSoleTemplateName = (text: string): string | undefined =>
  whole.exec(text)?.[1]?.trim();

/** Returns true if a value, or any text within it, contains a template. */
export const hasTemplate = (value: unknown): boolean => collectTexts(value).some(isTemplate);

const isTemplate = (text: string): boolean => findTemplateNames(text).length > 0;

export function collectTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(collectTexts);
}

/**
 * Fills the templates of a JSON value. Filled-in values are data and never read as templates. If one template is
 * the whole text, its value replaces the text; a list then becomes text, and a missing value becomes undefined.
 * Within other text a missing value becomes empty text. A bracket before a value is replaced if the two would
 * form a tag of the game's chat.
 */
export function fillTemplates(value: unknown, values: ParamValues): unknown {
  if (typeof value === "string") return fillText(value, values);
  if (Array.isArray(value)) return value.map((item) => fillTemplates(item, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, fillTemplates(item, values)]),
  );
}

function fillText(text: string, values: ParamValues): unknown {
  const alone = findSoleTemplateName(text);
  if (alone !== undefined) {
    const value = valueOf(alone, values);
    return Array.isArray(value) ? textOf(value) : value;
  }
  let filled = "";
  let end = 0;
  for (const { 0: found, 1: name = "", index } of text.matchAll(template)) {
    const value = textOf(valueOf(name.trim(), values));
    filled = replaceTagBracket(filled + text.slice(end, index), value) + value;
    end = index + found.length;
  }
  return filled + text.slice(end);
}

const valueOf = (name: string, values: ParamValues): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** Converts a value to text for a template. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Fills in a parameter. A text parameter converts any value; a missing value stays missing. */
export function fillParam(
  param: Pick<Param, "type"> | undefined,
  given: unknown,
  values: ParamValues,
): unknown {
  const filled = fillTemplates(given, values);
  const isMissing = filled === undefined || filled === null;
  const becomesText = typeof given === "string" && param !== undefined && isTextType(param);
  return becomesText && !isMissing ? textOf(filled) : filled;
}

export interface ResolvedParams {
  readonly values: ParamValues;
  readonly faults: readonly PointerFault[];
}

/** Returns the values of a run: the given ones, and defaults for the rest. Reports every fault. */
export function resolveParams(declared: readonly Param[], given: ParamValues): ResolvedParams {
  const names = new Set(declared.map(({ name }) => name));
  const unknown = Object.keys(given).filter((name) => !names.has(name));
  const values: Record<string, unknown> = {};
  const faults: PointerFault[] = unknown.map((name) =>
    faultAt(name, "unknown", "is not a parameter of the event"),
  );
  for (const param of declared) {
    const value = valueFor(param, given);
    if (value === undefined) {
      if (param.required) faults.push(faultAt(param.name, "required", "is required"));
      continue;
    }
    const found = findValueProblem(param, value);
    if (found) faults.push(faultAt(param.name, found.code, found.message));
    else values[param.name] = value;
  }
  return { values, faults };
}

function valueFor({ name, default: standard }: Param, given: ParamValues): unknown {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  return value ?? standard ?? undefined;
}

const faultAt = (name: string, code: PointerFault["code"], message: string): PointerFault => ({
  path: toJsonPointer(["params", name]),
  code,
  message: `${name} ${message}`,
});
