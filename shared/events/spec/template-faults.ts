import { type Param, mayStandFor, problemOf, takesText } from "../../facts/param.ts";
import type { Variable } from "../../facts/trigger.ts";
import type { PointedFault } from "../../platform/errors/pointer-faults.ts";
import { hasTemplate, namesIn, textsIn, wholeTemplate } from "../params/template.ts";
import type { Place } from "./place.ts";

/** What templates may name at a place, by name. */
export type Known = Map<string, Param | Variable>;

/** Of a text as it is written: filled in, it has to keep to its parameter's own bound. */
const longestText = 16_000;

/** Faults of a value given for a parameter: templates are looked at by name and type, the rest as it is. */
export function valueFaults(place: Place, param: Param, known: Known): PointedFault[] {
  if (textsIn(place.value).some((text) => text.length > longestText)) {
    return [place.fault("limit", `must be at most ${longestText} characters long`)];
  }
  const unknown = unknownNames(place.value, known);
  if (unknown.length > 0) {
    return unknown.map((name) =>
      place.fault(
        "template",
        `names ${name || "nothing"}, which is neither a parameter nor a variable known here`,
      ),
    );
  }
  const alone = place.text() === undefined ? undefined : wholeTemplate(place.text() ?? "");
  if (alone !== undefined) return wholeFaults(place, param, known.get(alone));
  if (hasTemplate(place.value)) return mixedFaults(place, param);
  const found = problemOf(param, place.value);
  return found ? [place.problem(found)] : [];
}

const unknownNames = (value: unknown, known: Known): string[] => [
  ...new Set(
    textsIn(value)
      .flatMap(namesIn)
      .filter((name) => !known.has(name)),
  ),
];

/** A text that is one template takes the value with its type. */
function wholeFaults(place: Place, param: Param, named: Param | Variable | undefined) {
  // A list becomes text.
  const type = named && "list" in named && named.list ? "text" : named?.type;
  if (!named || !type || takesText(param) || mayStandFor(type, param.type)) return [];
  return [
    place.fault(
      "type",
      `takes the type ${param.type}, but ${named.name} has the type ${named.type}`,
    ),
  ];
}

/** Text with templates in it becomes text, and nothing else. */
function mixedFaults(place: Place, param: Param): PointedFault[] {
  const { type } = param;
  const isFilledInside = type === "location" && typeof place.value === "object";
  if (takesText(param) || isFilledInside) return [];
  return [place.fault("type", `takes the type ${type}: a template must be the whole value`)];
}
