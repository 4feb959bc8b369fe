import type { Definition } from "../types.ts";

/** A place in a draft: names of fields and positions in lists. */
export type DraftPath = readonly (string | number)[];

/** The fields of an event that a person edits. The form accepts any JSON value in each. */
export type Draft = Readonly<Record<string, unknown>>;

/** Identifies an item of a list while its position changes. JSON does not contain it. */
const itemKey = Symbol("key");
let lastKey = 0;

export type DraftItem = Readonly<Record<string, unknown>> & { readonly [itemKey]?: number };

const isObject = (value: unknown): value is DraftItem =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a new item of a list, with a key. */
export function newItem(fields: Readonly<Record<string, unknown>>): DraftItem {
  lastKey += 1;
  return { ...fields, [itemKey]: lastKey };
}

/** Gives a key to each object that is in a list. */
export function addItemKeys(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((one: unknown) => {
      const keyed = addItemKeys(one);
      return isObject(keyed) ? newItem(keyed) : keyed;
    });
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, addItemKeys(one)]));
}

export const itemKeyOf = (item: unknown, at: number): string =>
  isObject(item) && item[itemKey] !== undefined ? `key-${item[itemKey]}` : `at-${at}`;

/** Returns the value at a place; undefined if the draft has none. */
export function valueAt(value: unknown, path: DraftPath): unknown {
  let found = value;
  for (const step of path) {
    if (Array.isArray(found) && typeof step === "number") found = found[step];
    else found = isObject(found) ? found[String(step)] : undefined;
  }
  return found;
}

/** Returns the list at a place; an empty one if the value is not a list. */
export function listAt(value: unknown, path: DraftPath): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

export function textAt(value: unknown, path: DraftPath): string {
  const found = valueAt(value, path);
  return typeof found === "string" ? found : "";
}

/** Returns a copy with another value at a place. Undefined removes the field. */
export function setValueAt(value: unknown, path: DraftPath, next: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return next;
  if (typeof step === "number") {
    const list: readonly unknown[] = Array.isArray(value) ? value : [];
    return list.with(step, setValueAt(list[step], rest, next));
  }
  const fields = isObject(value) ? value : {};
  const inner = setValueAt(fields[step], rest, next);
  if (inner !== undefined) return { ...fields, [step]: inner };
  const { [step]: _removed, ...others } = fields;
  return others;
}

/** Returns a copy of a list in which an item moved by one position. */
export function moveItem(list: readonly unknown[], at: number, by: 1 | -1): readonly unknown[] {
  const to = at + by;
  if (to < 0 || to >= list.length) return list;
  return list.with(at, list[to]).with(to, list[at]);
}

/** Returns the JSON pointer of a place. */
export const pointerOf = (path: DraftPath): string =>
  path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

export const parsePointer = (pointer: string): DraftPath =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step))
    .map((step) =>
      typeof step === "string" ? step.replaceAll("~1", "/").replaceAll("~0", "~") : step,
    );

const edited = [
  "title",
  "slug",
  "summary",
  "body",
  "imageUrl",
  "timezone",
  "graceSeconds",
  "concurrencyKey",
  "seriesId",
  "seriesOrder",
  "spec",
] as const satisfies readonly (keyof Definition)[];

/** Returns the fields of an event that a person edits. */
export const draftOf = (event: Definition): Draft =>
  addItemKeys(Object.fromEntries(edited.map((name) => [name, event[name]]))) as Draft;

/** Returns the draft of a new event: it has one phase without steps and no schedule, so a person starts it. */
export const newDraft = (title: string): Draft => ({
  title: "",
  summary: "",
  body: "",
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  graceSeconds: 900,
  spec: {
    listed: false,
    scope: "shard",
    schedule: { kind: "manual" },
    params: [],
    phases: [newItem({ key: "start", title, steps: [] })],
  },
});

/** The order of fields in the JSON of a draft. The service does not keep the field order of a spec. */
const fieldOrder = [
  ...edited,
  ..."listed scope schedule kind at rrule until params name type required default phases".split(
    " ",
  ),
  ..."key actionId steps advance seconds trigger count where var op value".split(" "),
];

const rankOf = (name: string): number => fieldOrder.indexOf(name) + 1 || fieldOrder.length + 1;

/** Returns a copy of a value with all fields in a fixed order, so that texts can be compared. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const names = Object.keys(value).toSorted(
    (one, other) => rankOf(one) - rankOf(other) || one.localeCompare(other),
  );
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name])]));
}

/** Returns a draft as JSON. */
export const draftText = (draft: unknown): string => JSON.stringify(inOrder(draft), null, 2) ?? "";

/** Returns the fields of a draft that differ from another one. */
export const changesOf = (base: Draft, draft: Draft): Draft =>
  Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => draftText(value) !== draftText(base[name])),
  );
