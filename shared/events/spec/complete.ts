import type { ParamValues } from "../../facts/param.ts";
import { findAction } from "../actions/catalogue.ts";
import { normalizeRule } from "../schedule/rule.ts";
import type { Schedule } from "../schedule/schedule.ts";
import { failureReactionByRisk } from "../vocabulary.ts";
import { specField } from "./fields.ts";
import type { EventSpec, PhaseGate, PhaseSpec, StepSpec } from "./spec.ts";

/** Returns a valid spec with every default filled in. */
export function fillSpecDefaults(given: unknown): EventSpec {
  const { value } = specField.validate(given, { convert: false }) as { value: EventSpec };
  return {
    ...value,
    schedule: completeSchedule(value.schedule),
    phases: value.phases.map(completePhase),
  };
}

function completeSchedule(schedule: Schedule): Schedule {
  if (schedule.kind === "manual") return { kind: "manual" };
  const { kind, at } = schedule;
  if (kind === "once") return { kind, at };
  return { kind, at, rrule: normalizeRule(schedule.rrule), until: schedule.until ?? null };
}

const completePhase = ({ steps, advance, ...phase }: PhaseSpec): PhaseSpec => ({
  ...phase,
  steps: steps.map(completeStep),
  advance: completeGate(advance),
});

/** An absent `onFailure` follows from the action's risk. */
function completeStep(step: StepSpec): StepSpec {
  const action = findAction(step.actionId);
  const onFailure = step.onFailure ?? failureReactionByRisk[action?.risk ?? "destructive"];
  const given = withoutNulls(step.params);
  return { ...step, params: action?.deriveParams(given) ?? given, onFailure };
}

/** A request may send null for an absent parameter, but an action accepts no null. */
const withoutNulls = (params: ParamValues): ParamValues =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));

function completeGate(gate: PhaseGate): PhaseGate {
  if (gate.kind === "after") return { kind: "after", seconds: gate.seconds };
  if (gate.kind !== "trigger") return { kind: gate.kind };
  const { trigger, timeoutSeconds } = gate;
  return {
    kind: "trigger",
    trigger,
    count: gate.count ?? 1,
    where: gate.where ?? [],
    // A request may send null for an absent field.
    ...(typeof timeoutSeconds === "number" && { timeoutSeconds }),
    onTimeout: gate.onTimeout ?? "pause",
  };
}
