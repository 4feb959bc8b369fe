import { type Param, problemOf } from "../../facts/param.ts";
import type { Values } from "../../facts/param.ts";
import { pointerTo, type PointedFault } from "../../platform/errors/pointer-faults.ts";

export interface Resolved {
  readonly values: Values;
  readonly faults: readonly PointedFault[];
}

/** What a run knows by name: what was given, and the defaults of the rest. Every fault is named. */
export function resolveParams(declared: readonly Param[], given: Values): Resolved {
  const names = new Set(declared.map(({ name }) => name));
  const unknown = Object.keys(given).filter((name) => !names.has(name));
  const values: Record<string, unknown> = {};
  const faults: PointedFault[] = unknown.map((name) =>
    faultAt(name, "unknown", "is not a parameter of the event"),
  );
  for (const param of declared) {
    const value = valueFor(param, given);
    if (value === undefined) {
      if (param.required) faults.push(faultAt(param.name, "required", "is required"));
      continue;
    }
    const found = problemOf(param, value);
    if (found) faults.push(faultAt(param.name, found.code, found.message));
    else values[param.name] = value;
  }
  return { values, faults };
}

function valueFor({ name, default: standard }: Param, given: Values): unknown {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  return value ?? standard ?? undefined;
}

const faultAt = (name: string, code: PointedFault["code"], message: string): PointedFault => ({
  path: pointerTo(["params", name]),
  code,
  message: `${name} ${message}`,
});
