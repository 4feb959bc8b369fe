import { objectBody, readRequiredText } from "../../control/input.ts";
import { refuseField } from "../../control/refusal.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Reads a list of objects. @returns an empty list if the field is absent */
export function readObjectList(fields: Fields, field: string): Fields[] {
  const value = fields[field] ?? [];
  if (!Array.isArray(value)) throw refuseField(field, "must be a list");
  return value.map((entry: unknown) => objectBody(entry));
}

/** Reads a list of texts. @returns an empty list if the field is absent */
export function optionalTexts(fields: Fields, field: string): string[] {
  const value = fields[field] ?? [];
  if (!Array.isArray(value)) throw refuseField(field, "must be a list");
  return value.map((entry: unknown) => readRequiredText({ [field]: entry }, field, 1, 256));
}

export const isSteamId = (value: string): boolean => /^7656119\d{10}$/.test(value);

export function readSteamId(fields: Fields, field: string): string {
  const value = readRequiredText(fields, field, 1, 32);
  if (!isSteamId(value)) throw refuseField(field, "must be a SteamID64");
  return value;
}

export function optionalNumber(fields: Fields, field: string): number | null {
  const value = fields[field] ?? null;
  if (value !== null && typeof value !== "number") throw refuseField(field, "must be a number");
  return value;
}
