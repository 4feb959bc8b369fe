import { refuseField } from "./refusal.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the body if it is an object. Otherwise refuses the request and names the field `body`.
 */
export function objectBody(body: unknown): Fields {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw refuseField("body", "must be an object");
  }
  return body as Fields;
}

/** Reads a text field with `least` to `most` characters. */
export function readRequiredText(
  fields: Fields,
  field: string,
  least: number,
  most: number,
): string {
  const value = fields[field];
  if (typeof value !== "string") throw refuseField(field, "must be a string");
  if (value.length < least || value.length > most) {
    throw refuseField(field, `must have ${least} to ${most} characters`);
  }
  return value;
}

export function optionalText(fields: Fields, field: string, most: number): string | undefined {
  return isAbsent(fields, field) ? undefined : readRequiredText(fields, field, 0, most);
}

export function readRequiredInteger(
  fields: Fields,
  field: string,
  least: number,
  most: number,
): number {
  const value = fields[field];
  if (!Number.isSafeInteger(value)) throw refuseField(field, "must be an integer");
  if ((value as number) < least || (value as number) > most) {
    throw refuseField(field, `must be from ${least} to ${most}`);
  }
  return value as number;
}

/** Reads an integer field. @returns the default if the field is absent or null */
export function optionalInteger(
  fields: Fields,
  field: string,
  range: { readonly least: number; readonly most: number; readonly byDefault: number },
): number {
  return isAbsent(fields, field)
    ? range.byDefault
    : readRequiredInteger(fields, field, range.least, range.most);
}

export function optionalBoolean(fields: Fields, field: string): boolean {
  const value = fields[field] ?? false;
  if (typeof value !== "boolean") throw refuseField(field, "must be a boolean");
  return value;
}

/** Reads a list of `least` to `most` texts. Each has at most `longest` characters. */
export function readTextList(
  fields: Fields,
  field: string,
  range: { readonly least: number; readonly most: number; readonly longest: number },
): string[] {
  const value = fields[field];
  if (!Array.isArray(value)) throw refuseField(field, "must be a list");
  if (value.length < range.least || value.length > range.most) {
    throw refuseField(field, `must have ${range.least} to ${range.most} entries`);
  }
  return value.map((entry: unknown) =>
    readRequiredText({ [field]: entry }, field, 1, range.longest),
  );
}

export function oneOf<T extends string>(fields: Fields, field: string, values: readonly T[]): T {
  const value = fields[field];
  if (!(values as readonly unknown[]).includes(value)) {
    throw refuseField(field, `must be one of ${values.join(", ")}`);
  }
  return value as T;
}

/** Reads an integer from the query. @returns the default if the parameter is absent */
export function queryInteger(
  query: URLSearchParams,
  field: string,
  range: { readonly least: number; readonly most: number; readonly byDefault: number },
): number {
  const value = query.get(field);
  if (value === null) return range.byDefault;
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  return readRequiredInteger({ [field]: number }, field, range.least, range.most);
}

const isAbsent = (fields: Fields, field: string): boolean =>
  fields[field] === undefined || fields[field] === null;
