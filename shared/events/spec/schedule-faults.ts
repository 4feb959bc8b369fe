import type { PointerFault } from "../../platform/errors/pointer-faults.ts";
import { isTimeZone, parseWallTime } from "../../platform/time/wall-time.ts";
import { describeExceededLimit } from "../schedule/rule-times.ts";
import { normalRule, Rule, findRuleFault } from "../schedule/rule.ts";
import { type FieldsByKind, kindFaults, type SpecValue } from "./spec-value.ts";

const scheduleFields: FieldsByKind = {
  manual: { needs: [], takes: [] },
  once: { needs: ["at"], takes: [] },
  recurring: { needs: ["at", "rrule"], takes: ["until"] },
};

/** Returns the faults of a schedule: invalid wall times, and rules without occurrences. */
export function findScheduleFaults(schedule: SpecValue, timezone: string): PointerFault[] {
  const faults = [
    ...kindFaults(schedule, scheduleFields),
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
  const rule = normalRule(text);
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
    const fires = new Rule(normalRule(rrule.text() ?? ""), { at, until }).firstFrom(at) !== null;
    return fires ? [] : [rrule.fault("never_fires", "never fires")];
  } catch (error) {
    return [rrule.fault("format", `is not a valid rule: ${(error as Error).message}`)];
  }
}
