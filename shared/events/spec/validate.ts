import {
  mergeFaults,
  type PointerFault,
  pointerFaultsOf,
} from "../../platform/errors/pointer-faults.ts";
import { isTimeZone, parseWallTime } from "../../platform/time/wall-time.ts";
import { describeExceededLimit } from "../schedule/rule-times.ts";
import { findRuleFault, normalizeRule, RecurrenceRule } from "../schedule/rule.ts";
import { eventLimits } from "../vocabulary.ts";
import { specField } from "./fields.ts";
import { findParamFaults, readParams, type TemplateNames } from "./param-faults.ts";
import { findGateFaults, findStepFaults, listGateVariables } from "./phase-faults.ts";
import { type FieldsByKind, findKindFaults, SpecValue } from "./spec-value.ts";

/** Returns every fault of a spec, in its fields and in its references. Accepts any value. */
export function findSpecFaults(spec: unknown, timezone: string): PointerFault[] {
  if (isTooLarge(spec)) {
    const message = `spec has more than ${maxValues} values`;
    return [{ path: "/spec", code: "limit", message }];
  }
  const { error } = specField.validate(spec, { convert: false, abortEarly: false });
  const ofForm = error ? pointerFaultsOf(error).map(withinSpec) : [];
  return mergeFaults(ofForm, findReferenceFaults(spec, timezone));
}

const withinSpec = (fault: PointerFault): PointerFault => ({
  ...fault,
  path: `/spec${fault.path}`,
});

/** Returns the faults of a spec's references, even if its fields are malformed. */
function findReferenceFaults(spec: unknown, timezone: string): PointerFault[] {
  const place = new SpecValue(spec, ["spec"]);
  return [
    ...findScheduleFaults(place.at("schedule"), timezone),
    ...findParamFaults(place.at("params")),
    ...countFaults(place.at("phases")),
    ...keyFaults(place.at("phases").items()),
    ...keyFaults(stepsOf(place)),
    ...phaseFaults(place),
  ];
}

const stepsOf = (spec: SpecValue): SpecValue[] =>
  spec
    .at("phases")
    .items()
    .flatMap((phase) => phase.at("steps").items());

function countFaults(phases: SpecValue): PointerFault[] {
  const { maxSteps } = eventLimits;
  const count = phases.items().flatMap((phase) => phase.at("steps").items()).length;
  return count > maxSteps ? [phases.fault("limit", `have more than ${maxSteps} steps`)] : [];
}

/** Steps are referred to by key across phases, so no two steps of an event may share a key. */
function keyFaults(places: readonly SpecValue[]): PointerFault[] {
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

/** Checks the phases in order: a variable is known only after a gate with its trigger. */
function phaseFaults(spec: SpecValue): PointerFault[] {
  const params = readParams(spec.at("params"));
  const known: TemplateNames = new Map();
  const earlier = new Map<string, string>();
  return spec
    .at("phases")
    .items()
    .flatMap((phase) => {
      const names: TemplateNames = new Map([...known, ...params]);
      const faults = phase
        .at("steps")
        .items()
        .flatMap((step) => findStepFaults(step, names, earlier));
      const gate = phase.at("advance");
      faults.push(...findGateFaults(gate, params));
      for (const [name, variable] of listGateVariables(gate)) known.set(name, variable);
      return faults;
    });
}

/** Maximum number of JSON values in a spec; the largest valid spec has fewer. */
const maxValues = 20_000;

/** Returns true if a JSON value has too many values, and so too many faults to list. */
function isTooLarge(spec: unknown): boolean {
  const waiting: unknown[] = [spec];
  let count = 0;
  while (waiting.length > 0 && count <= maxValues) {
    const value = waiting.pop();
    count += 1;
    const held: readonly unknown[] =
      typeof value === "object" && value !== null ? Object.values(value) : [];
    // Push items one by one, because a call accepts a limited number of arguments.
    for (const item of held) waiting.push(item);
  }
  return count > maxValues;
}

const scheduleFields: FieldsByKind = {
  manual: { needs: [], takes: [] },
  once: { needs: ["at"], takes: [] },
  recurring: { needs: ["at", "rrule"], takes: ["until"] },
};

/** Returns the faults of a schedule: invalid wall times, and rules without occurrences. */
function findScheduleFaults(schedule: SpecValue, timezone: string): PointerFault[] {
  const faults = [
    ...findKindFaults(schedule, scheduleFields),
    ...wallTimeFaults(schedule.at("at")),
    ...wallTimeFaults(schedule.at("until")),
    ...formFaults(schedule.at("rrule")),
  ];
  const isRule = schedule.at("kind").value === "recurring";
  if (!isRule || faults.length > 0 || !isTimeZone(timezone)) return faults;
  return findNeverFires(schedule);
}

function wallTimeFaults(place: SpecValue): PointerFault[] {
  const text = place.text();
  if (text === undefined || parseWallTime(text)) return [];
  return [place.fault("format", "must be a wall time such as 2026-12-05T20:00")];
}

function formFaults(rrule: SpecValue): PointerFault[] {
  const text = rrule.text();
  if (text === undefined) return [];
  const rule = normalizeRule(text);
  const fault = findRuleFault(rule);
  if (fault !== undefined) return [rrule.fault("format", fault)];
  const excess = describeExceededLimit(rule);
  return excess === undefined ? [] : [rrule.fault("limit", excess)];
}

function findNeverFires(schedule: SpecValue): PointerFault[] {
  const rrule = schedule.at("rrule");
  const at = parseWallTime(schedule.at("at").text() ?? "");
  if (!at) return [];
  const until = parseWallTime(schedule.at("until").text() ?? "") ?? null;
  try {
    const fires =
      new RecurrenceRule(normalizeRule(rrule.text() ?? ""), { at, until }).firstFrom(at) !== null;
    return fires ? [] : [rrule.fault("never_fires", "never fires")];
  } catch (error) {
    return [rrule.fault("format", `is not a valid rule: ${(error as Error).message}`)];
  }
}
