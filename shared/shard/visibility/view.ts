import { isObject } from "../../platform/bridge/json-text.ts";

/** Returns true if the caller may see the fields to which the field rule of this name applies. */
export type FieldAccessCheck = (field: string) => boolean;

export type PayloadFields = Readonly<Record<string, unknown>>;

/** The type of a public field. A value of another type is left out. */
export interface FieldView {
  readonly as: "value" | "values" | "counts" | "object" | "list";
  /** The fields of an object, or of each object of a list. */
  readonly fields?: PayloadView;
  /** Another type that the value may have. */
  readonly or?: FieldView;
  /** The name of the field in the payload, if that differs. */
  readonly from?: string;
  /** The field rule that decides which callers see the field. */
  readonly gate?: string;
  /** Returns true if the payload allows the field to be shown. */
  readonly when?: (payload: PayloadFields) => boolean;
}

/** The allowlist of an object: fields that it does not name are never shown. */
export type PayloadView = Readonly<Record<string, FieldView>>;

/** A text, a number, a boolean or null. */
export const valueView: FieldView = { as: "value" };
export const valuesView: FieldView = { as: "values" };
/** An object of numbers with any names. */
export const countsView: FieldView = { as: "counts" };
export const objectView = (fields: PayloadView): FieldView => ({ as: "object", fields });
export const listView = (fields: PayloadView): FieldView => ({ as: "list", fields });
/** Declares a field that has one of two types, depending on the shard. */
export const alternativeView = (one: FieldView, or: FieldView): FieldView => ({ ...one, or });

export const gatedView = (gate: string, shown: FieldView = valueView): FieldView => ({
  ...shown,
  gate,
});
export const renamedView = (from: string, shown: FieldView = valueView): FieldView => ({
  ...shown,
  from,
});
export const conditionalView = (
  holds: (payload: PayloadFields) => boolean,
  shown: FieldView = valueView,
): FieldView => ({
  ...shown,
  when: holds,
});

/** Declares fields with plain values and without a field rule, under the payload's field names. */
export const plainViews = (...names: readonly string[]): PayloadView =>
  Object.fromEntries(names.map((name) => [name, valueView]));

/** Returns the field rules that a view uses, including those of nested objects and lists. */
export const listViewGates = (view: PayloadView): string[] =>
  Object.values(view).flatMap(({ gate, fields = {}, or }) => [
    ...(gate === undefined ? [] : [gate]),
    ...listViewGates(fields),
    ...(or ? listViewGates({ or }) : []),
  ]);

/** Returns the visible fields of a payload or row. Absent, hidden and invalid fields are left out. */
export const pickVisibleFields = (
  view: PayloadView,
  payload: object,
  maySee: FieldAccessCheck,
): PayloadFields =>
  showFields(view, payload as PayloadFields, { payload: payload as PayloadFields, maySee });

/** Returns the fields of a view for a caller whom no field rule restricts. */
export const pickAllVisibleFields = (view: PayloadView, payload: object): PayloadFields =>
  pickVisibleFields(view, payload, () => true);

interface ViewContext {
  readonly payload: PayloadFields;
  readonly maySee: FieldAccessCheck;
}

function showFields(view: PayloadView, given: PayloadFields, showing: ViewContext): PayloadFields {
  const shown: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(view)) {
    if (isHidden(field, showing)) continue;
    const left = showOne(field, given[field.from ?? name], showing);
    if (left !== undefined) shown[name] = left;
  }
  return shown;
}

const isHidden = ({ gate, when: holds }: FieldView, { payload, maySee }: ViewContext): boolean =>
  (gate !== undefined && !maySee(gate)) || (holds !== undefined && !holds(payload));

function showOne(field: FieldView, given: unknown, showing: ViewContext): unknown {
  if (given === null) return null;
  const shown = showAs(field, given, showing);
  return shown === undefined && field.or ? showOne(field.or, given, showing) : shown;
}

function showAs(field: FieldView, given: unknown, showing: ViewContext): unknown {
  if (field.as === "value") return isPlain(given) ? given : undefined;
  if (field.as === "counts") return isObject(given) ? showCounts(given) : undefined;
  if (field.as === "object") {
    return isObject(given) ? showFields(field.fields ?? {}, given, showing) : undefined;
  }
  if (!Array.isArray(given)) return undefined;
  if (field.as === "values") return given.filter(isPlain);
  return given.filter(isObject).map((item) => showFields(field.fields ?? {}, item, showing));
}

/** An object of counts may have any keys except these names of account fields. */
const accountFields = ["acct", "ownerAcct", "webId", "ip"];

const showCounts = (given: PayloadFields): PayloadFields =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name, count]) => typeof count === "number" && !accountFields.includes(name),
    ),
  );

const isPlain = (given: unknown): boolean =>
  given === null || ["string", "number", "boolean"].includes(typeof given);
