import type { Problem } from "../../facts/param.ts";
import { pointerTo, type PointedFault } from "../../platform/errors/pointer-faults.ts";

type Way = readonly (string | number)[];

/** A value in an unchecked spec, and its path. A missing field gives an empty place. */
export class Place {
  readonly value: unknown;
  readonly way: Way;

  constructor(value: unknown, way: Way) {
    this.value = value;
    this.way = way;
  }

  at(name: string): Place {
    const { value } = this;
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const held = isObject && Object.hasOwn(value, name);
    const found = held ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
    return new Place(found, [...this.way, name]);
  }

  /** Returns the places of a list; none if the value is not a list. */
  items(): Place[] {
    const list: readonly unknown[] = Array.isArray(this.value) ? this.value : [];
    return list.map((value, index) => new Place(value, [...this.way, index]));
  }

  /** Returns the places of an object's fields; none if the value is not an object. */
  fields(): [name: string, place: Place][] {
    const { value } = this;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    return Object.keys(value).map((name) => [name, this.at(name)]);
  }

  text(): string | undefined {
    return typeof this.value === "string" ? this.value : undefined;
  }

  fault(code: PointedFault["code"], message: string): PointedFault {
    return { path: pointerTo(this.way), code, message: `${this.way.at(-1)} ${message}` };
  }

  problem({ code, message }: Problem): PointedFault {
    return this.fault(code, message);
  }
}

/** The required and the optional fields of an object of each kind. */
export type FieldsByKind = Readonly<
  Record<string, { readonly needs: readonly string[]; readonly takes: readonly string[] }>
>;

/** Returns the faults of the fields that depend on an object's `kind`; null counts as absent. */
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
