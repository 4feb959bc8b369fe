import {
  mergedFaults,
  pointedFaults,
  type PointedFault,
} from "../../platform/errors/pointer-faults.ts";
import { eventLimits } from "../vocabulary.ts";
import { specField } from "./fields.ts";
import { paramFaults, paramsOf, type Known } from "./param-faults.ts";
import { gateFaults, variablesBehind, stepFaults } from "./phase-faults.ts";
import { Place } from "./place.ts";
import { scheduleFaults } from "./schedule-faults.ts";

/** Returns every fault of a spec's form and references. Accepts any value. */
export function specFaults(spec: unknown, timezone: string): PointedFault[] {
  if (isTooLarge(spec)) {
    const message = `spec holds more than ${mostValues} values`;
    return [{ path: "/spec", code: "limit", message }];
  }
  const { error } = specField.validate(spec, { convert: false, abortEarly: false });
  const ofForm = error ? pointedFaults(error).map(withinSpec) : [];
  return mergedFaults(ofForm, referenceFaults(spec, timezone));
}

const withinSpec = (fault: PointedFault): PointedFault => ({
  ...fault,
  path: `/spec${fault.path}`,
});

/** Returns the faults of a spec's references, whatever its form. */
function referenceFaults(spec: unknown, timezone: string): PointedFault[] {
  const place = new Place(spec, ["spec"]);
  return [
    ...scheduleFaults(place.at("schedule"), timezone),
    ...paramFaults(place.at("params")),
    ...countFaults(place.at("phases")),
    ...keyFaults(place.at("phases").items()),
    ...keyFaults(stepsOf(place)),
    ...phaseFaults(place),
  ];
}

const stepsOf = (spec: Place): Place[] =>
  spec
    .at("phases")
    .items()
    .flatMap((phase) => phase.at("steps").items());

function countFaults(phases: Place): PointedFault[] {
  const { maxSteps } = eventLimits;
  const count = phases.items().flatMap((phase) => phase.at("steps").items()).length;
  return count > maxSteps ? [phases.fault("limit", `hold more than ${maxSteps} steps`)] : [];
}

/** Keys name steps across phases, so no two steps of an event share one. */
function keyFaults(places: readonly Place[]): PointedFault[] {
  const seen = new Set<string>();
  return places.flatMap((place) => {
    const key = place.at("key");
    const text = key.text();
    if (text === undefined) return [];
    if (seen.has(text)) return [key.fault("duplicate", "is already used above")];
    seen.add(text);
    return [];
  });
}

/** Checks phase by phase: a variable is known only after a gate whose trigger has it. */
function phaseFaults(spec: Place): PointedFault[] {
  const params = paramsOf(spec.at("params"));
  const known: Known = new Map();
  const earlier = new Map<string, string>();
  return spec
    .at("phases")
    .items()
    .flatMap((phase) => {
      const names: Known = new Map([...known, ...params]);
      const faults = phase
        .at("steps")
        .items()
        .flatMap((step) => stepFaults(step, names, earlier));
      const gate = phase.at("advance");
      faults.push(...gateFaults(gate, params));
      for (const [name, variable] of variablesBehind(gate)) known.set(name, variable);
      return faults;
    });
}

/** More than the largest valid spec holds. */
const mostValues = 20_000;

/** Returns true if a JSON value has too many values, and so too many faults to list. */
function isTooLarge(spec: unknown): boolean {
  const waiting: unknown[] = [spec];
  let count = 0;
  while (waiting.length > 0 && count <= mostValues) {
    const value = waiting.pop();
    count += 1;
    const held: readonly unknown[] =
      typeof value === "object" && value !== null ? Object.values(value) : [];
    // One by one, because a call accepts a limited number of arguments.
    for (const item of held) waiting.push(item);
  }
  return count > mostValues;
}
