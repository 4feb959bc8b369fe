import { isObject } from "../../platform/bridge/json-text.ts";

/** Whether the caller may see a field that a rule gates. */
export type MaySeeField = (field: string) => boolean;

export type Fields = Readonly<Record<string, unknown>>;

/** One field that leaves, and in what form; what does not fit its form does not leave. */
export interface Shown {
  readonly as: "value" | "values" | "counts" | "object" | "list";
  /** The fields of an object, or of each object of a list. */
  readonly fields?: View;
  /** The other form that it may have. */
  readonly or?: Shown;
  /** Its name in the payload, where that differs. */
  readonly from?: string;
  /** The field rule that must let the caller see it. */
  readonly gate?: string;
  /** What must hold of the whole payload for it to be shown to anyone. */
  readonly when?: (payload: Fields) => boolean;
}

/** The allowlist of an object: what is not named here never leaves. */
export type View = Readonly<Record<string, Shown>>;

/** A text, a number, a boolean or null. */
export const value: Shown = { as: "value" };
/** A list of plain values. */
export const values: Shown = { as: "values" };
/** An object of name and number, the names being open. */
export const counts: Shown = { as: "counts" };
export const object = (fields: View): Shown => ({ as: "object", fields });
export const list = (fields: View): Shown => ({ as: "list", fields });
/** What has one form with some shards and another with others. */
export const either = (one: Shown, or: Shown): Shown => ({ ...one, or });

export const gated = (gate: string, shown: Shown = value): Shown => ({ ...shown, gate });
export const named = (from: string, shown: Shown = value): Shown => ({ ...shown, from });
export const when = (holds: (payload: Fields) => boolean, shown: Shown = value): Shown => ({
  ...shown,
  when: holds,
});

/** Plain values under their own names. */
export const plain = (...names: readonly string[]): View =>
  Object.fromEntries(names.map((name) => [name, value]));

/** The field rules that a view asks, in the objects and lists of it too. */
export const gatesOf = (view: View): string[] =>
  Object.values(view).flatMap(({ gate, fields = {}, or }) => [
    ...(gate === undefined ? [] : [gate]),
    ...gatesOf(fields),
    ...(or ? gatesOf({ or }) : []),
  ]);

/** What of a payload or row leaves; fields that are absent, gated or of another form are left out. */
export const show = (view: View, payload: object, maySee: MaySeeField): Fields =>
  showFields(view, payload as Fields, { payload: payload as Fields, maySee });

/** The same for a caller who sees whatever a rule gates. */
export const showAll = (view: View, payload: object): Fields => show(view, payload, () => true);

/** What is being shown, and to whom. */
interface Showing {
  readonly payload: Fields;
  readonly maySee: MaySeeField;
}

function showFields(view: View, given: Fields, showing: Showing): Fields {
  const shown: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(view)) {
    if (isHidden(field, showing)) continue;
    const left = showOne(field, given[field.from ?? name], showing);
    if (left !== undefined) shown[name] = left;
  }
  return shown;
}

const isHidden = ({ gate, when: holds }: Shown, { payload, maySee }: Showing): boolean =>
  (gate !== undefined && !maySee(gate)) || (holds !== undefined && !holds(payload));

function showOne(field: Shown, given: unknown, showing: Showing): unknown {
  if (given === null) return null;
  const shown = showAs(field, given, showing);
  return shown === undefined && field.or ? showOne(field.or, given, showing) : shown;
}

function showAs(field: Shown, given: unknown, showing: Showing): unknown {
  if (field.as === "value") return isPlain(given) ? given : undefined;
  if (field.as === "counts") return isObject(given) ? showCounts(given) : undefined;
  if (field.as === "object") {
    return isObject(given) ? showFields(field.fields ?? {}, given, showing) : undefined;
  }
  if (!Array.isArray(given)) return undefined;
  if (field.as === "values") return given.filter(isPlain);
  return given.filter(isObject).map((item) => showFields(field.fields ?? {}, item, showing));
}

/** Names here are the shard's own, but never those of account fields. */
const accountFields = ["acct", "ownerAcct", "webId", "ip"];

const showCounts = (given: Fields): Fields =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name, count]) => typeof count === "number" && !accountFields.includes(name),
    ),
  );

const isPlain = (given: unknown): boolean =>
  given === null || ["string", "number", "boolean"].includes(typeof given);
