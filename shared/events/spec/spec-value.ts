import type { ValueProblem } from "../../facts/param.ts";
import { toJsonPointer, type PointerFault } from "../../platform/errors/pointer-faults.ts";

type SpecPath = readonly (string | number)[];

/** A place in an unchecked spec: its path and its value, which is undefined if missing. */
export class SpecValue {
  readonly value: unknown;
  readonly way: SpecPath;

  constructor(value: unknown, specPath: SpecPath) {
    this.value = value;
    this.way = specPath;
  }

  at(name: string): SpecValue {
    const { value } = this;
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const held = isObject && Object.hasOwn(value, name);
    const found = held ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
    return new SpecValue(found, [...this.way, name]);
  }

  /** Returns the places of a list; none if the value is not a list. */
  items(): SpecValue[] {
    const list: readonly unknown[] = Array.isArray(this.value) ? this.value : [];
    return list.map((value, index) => new SpecValue(value, [...this.way, index]));
  }

  /** Returns the places of an object's fields; none if the value is not an object. */
  fields(): [name: string, place: SpecValue][] {
    const { value } = this;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    return Object.keys(value).map((name) => [name, this.at(name)]);
  }

  text(): string | undefined {
    return typeof this.value === "string" ? this.value : undefined;
  }

  fault(code: PointerFault["code"], message: string): PointerFault {
    return { path: toJsonPointer(this.way), code, message: `${this.way.at(-1)} ${message}` };
  }

  problem({ code, message }: ValueProblem): PointerFault {
    return this.fault(code, message);
  }
}

/** The required and the optional fields of an object of each kind. */
export type FieldsByKind = Readonly<
  Record<string, { readonly needs: readonly string[]; readonly takes: readonly string[] }>
>;

/** Returns the faults of the fields that depend on an object's `kind`; null counts as absent. */
export function findKindFaults(place: SpecValue, byKind: FieldsByKind): PointerFault[] {
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
