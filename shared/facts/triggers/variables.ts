import { problemOf, type Values } from "../values/param.ts";
import type { Trigger, Variable } from "./trigger.ts";

/** What an event tells by the names that its trigger declares; what is not of its type is not told. */
export function variablesOf({ variables }: Trigger, payload: Values): Values {
  const told = variables.filter((variable) => isTold(variable, payload[variable.name]));
  return Object.fromEntries(told.map(({ name }) => [name, payload[name]]));
}

function isTold({ name, type, values, list = false }: Variable, value: unknown): boolean {
  if (value === undefined || value === null || Array.isArray(value) !== list) return false;
  const param = { name, type, values, required: false };
  return [value].flat().every((one: unknown) => problemOf(param, one) === undefined);
}
