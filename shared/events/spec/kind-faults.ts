import type { PointedFault } from "../../platform/errors/pointer-faults.ts";
import type { Place } from "./place.ts";

/** Fields that a thing of each kind needs, and those that it may have. */
export type FieldsByKind = Readonly<
  Record<string, { readonly needs: readonly string[]; readonly takes: readonly string[] }>
>;

/** Faults of an object whose `kind` says which other fields it has; null counts as left out. */
export function kindFaults(place: Place, byKind: FieldsByKind): PointedFault[] {
  const kind = place.at("kind").text();
  if (kind === undefined || !Object.hasOwn(byKind, kind)) return [];
  const { needs, takes } = byKind[kind] as FieldsByKind[string];
  const every = new Set(Object.values(byKind).flatMap((one) => [...one.needs, ...one.takes]));
  return [...every].flatMap((name) => {
    const field = place.at(name);
    const isGiven = field.value !== undefined && field.value !== null;
    if (needs.includes(name) && !isGiven) return [field.fault("required", "is required")];
    if (!isGiven || needs.includes(name) || takes.includes(name)) return [];
    return [field.fault("unknown", `is not a field of the kind ${kind}`)];
  });
}
