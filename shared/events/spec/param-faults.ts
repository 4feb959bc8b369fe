import {
  type Param,
  findValueProblem,
  paramTypes,
  isParamTypeAssignable,
  isTextType,
} from "../../facts/param.ts";
import type { TriggerVariable } from "../../facts/trigger.ts";
import type { PointerFault } from "../../platform/errors/pointer-faults.ts";
import { hasTemplate, findTemplateNames, collectTexts, findSoleTemplateName } from "../params.ts";
import type { SpecValue } from "./spec-value.ts";

/** Returns the declared parameters that have a name and a known type, by name. */
export const readParams = (places: SpecValue): TemplateNames =>
  new Map(
    places
      .items()
      .map((place) => place.value as Partial<Param> | null)
      .filter(isParam)
      .map((param) => [param.name, param]),
  );

const isParam = (value: Partial<Param> | null): value is Param =>
  typeof value?.name === "string" && paramTypes.some((type) => type === value.type);

export function findParamFaults(places: SpecValue): PointerFault[] {
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

function valuesFaults(place: SpecValue): PointerFault[] {
  const values = place.at("values");
  if (place.at("type").value !== "enum" || values.value !== undefined) return [];
  return [values.fault("required", "are required for the type enum")];
}

function boundsFaults(place: SpecValue): PointerFault[] {
  const [min, max] = [place.at("min").value, place.at("max").value];
  if (typeof min !== "number" || typeof max !== "number" || min <= max) return [];
  return [place.at("max").fault("range", "must not be less than min")];
}

function defaultFaults(place: SpecValue): PointerFault[] {
  const standard = place.at("default");
  const param = place.value as Partial<Param> | null;
  if (standard.value === undefined || standard.value === null || !isParam(param)) return [];
  if (hasTemplate(standard.value)) {
    return [standard.fault("template", "must not contain a template")];
  }
  if (param.type === "enum" && !Array.isArray(param.values)) return [];
  const found = findValueProblem(param, standard.value);
  return found ? [standard.problem(found)] : [];
}

/** The parameters and variables that a template may use, by name. */
export type TemplateNames = Map<string, Param | TriggerVariable>;

/**
 * Limit of a text before its templates are filled in. The limit of the parameter applies to the filled-in text.
 */
const maxTextLength = 16_000;

/** Returns the faults of a value. Templates are checked by name and type, other values as given. */
export function findValueFaults(
  place: SpecValue,
  param: Param,
  known: TemplateNames,
): PointerFault[] {
  if (collectTexts(place.value).some((text) => text.length > maxTextLength)) {
    return [place.fault("limit", `must be at most ${maxTextLength} characters long`)];
  }
  const unknown = unknownNames(place.value, known);
  if (unknown.length > 0) {
    return unknown.map((name) =>
      place.fault(
        "template",
        `names ${name || "nothing"}, which is neither a parameter nor a variable at this place`,
      ),
    );
  }
  const alone = place.text() === undefined ? undefined : findSoleTemplateName(place.text() ?? "");
  if (alone !== undefined) return findLoneTemplateFaults(place, param, known.get(alone));
  if (hasTemplate(place.value)) return findMixedTextFaults(place, param);
  const found = findValueProblem(param, place.value);
  return found ? [place.problem(found)] : [];
}

const unknownNames = (value: unknown, known: TemplateNames): string[] => [
  ...new Set(
    collectTexts(value)
      .flatMap(findTemplateNames)
      .filter((name) => !known.has(name)),
  ),
];

/** Checks a text that consists of one template: the value keeps its type, so the types must match. */
function findLoneTemplateFaults(
  place: SpecValue,
  param: Param,
  named: Param | TriggerVariable | undefined,
) {
  // A list that fills a template becomes text.
  const type = named && "list" in named && named.list ? "text" : named?.type;
  if (!named || !type || isTextType(param) || isParamTypeAssignable(type, param.type)) return [];
  return [
    place.fault(
      "type",
      `takes the type ${param.type}, but ${named.name} has the type ${named.type}`,
    ),
  ];
}

/** Returns a fault if a template within other text fills a parameter that takes no text. */
function findMixedTextFaults(place: SpecValue, param: Param): PointerFault[] {
  const { type } = param;
  const isFilledInside = type === "location" && typeof place.value === "object";
  if (isTextType(param) || isFilledInside) return [];
  return [place.fault("type", `takes the type ${type}: a template must be the whole value`)];
}
