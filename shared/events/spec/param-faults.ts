import { type Param, problemOf } from "../../facts/param.ts";
import { paramTypes } from "../../facts/param.ts";
import type { PointedFault } from "../../platform/errors/pointer-faults.ts";
import { hasTemplate } from "../params/template.ts";
import type { Place } from "./place.ts";
import type { Known } from "./template-faults.ts";

/** Declared parameters that can be understood, by name. */
export const paramsOf = (places: Place): Known =>
  new Map(
    places
      .items()
      .map((place) => place.value as Partial<Param> | null)
      .filter(isParam)
      .map((param) => [param.name, param]),
  );

const isParam = (value: Partial<Param> | null): value is Param =>
  typeof value?.name === "string" && paramTypes.some((type) => type === value.type);

/** Faults of a run's parameters as they are declared. */
export function paramFaults(places: Place): PointedFault[] {
  const seen = new Set<string>();
  return places.items().flatMap((place) => {
    const name = place.at("name");
    const text = name.text();
    const isTwice = text !== undefined && seen.has(text);
    if (text !== undefined) seen.add(text);
    return [
      ...(isTwice ? [name.fault("duplicate", "is already used above")] : []),
      ...valuesFaults(place),
      ...boundsFaults(place),
      ...defaultFaults(place),
    ];
  });
}

function valuesFaults(place: Place): PointedFault[] {
  const values = place.at("values");
  if (place.at("type").value !== "enum" || values.value !== undefined) return [];
  return [values.fault("required", "are required for the type enum")];
}

function boundsFaults(place: Place): PointedFault[] {
  const [min, max] = [place.at("min").value, place.at("max").value];
  if (typeof min !== "number" || typeof max !== "number" || min <= max) return [];
  return [place.at("max").fault("range", "must not be less than min")];
}

function defaultFaults(place: Place): PointedFault[] {
  const standard = place.at("default");
  const param = place.value as Partial<Param> | null;
  if (standard.value === undefined || standard.value === null || !isParam(param)) return [];
  if (hasTemplate(standard.value)) {
    return [standard.fault("template", "must not contain a template")];
  }
  if (param.type === "enum" && !Array.isArray(param.values)) return [];
  const found = problemOf(param, standard.value);
  return found ? [standard.problem(found)] : [];
}
