import type { EventBudget } from "../../../models/events/event-budget.ts";
import type { EventStep } from "../../../models/events/event-step.ts";
import type { EventVersion } from "../../../models/events/event-version.ts";
import type { Context } from "../../platform/context.ts";
import type { EventContext } from "../context.ts";
import { isRunUnderWay } from "../machine/state.ts";
import { fillTemplates } from "../params.ts";
import { type PhaseGate, type GateCondition, specOf } from "../spec/spec.ts";
import type { Operator } from "../vocabulary.ts";
import { findRun, type ListedRun } from "./read-runs.ts";

export interface RunDetail extends ListedRun {
  readonly steps: readonly EventStep[];
  /** The number of steps by status; statuses without steps are absent. */
  readonly counts: Readonly<Record<string, number>>;
  /** Sentences on the conditions that the run waits for; empty unless the run is under way. */
  readonly gates: readonly string[];
  readonly budget: readonly EventBudget[];
}

/** @throws AppError missing if no run has this id */
export async function readRun(id: number, context: EventContext): Promise<RunDetail> {
  const { models } = context;
  const listed = await findRun(id, context);
  const where = { runId: id };
  const [steps, budget, gates] = await Promise.all([
    models.EventStep.findAll({ where, order: ["phaseIndex", "seq"] }),
    models.EventBudget.findAll({ where, order: ["dimension"] }),
    describeGates(listed, context),
  ]);
  return { ...listed, steps, counts: countsOf(steps), gates, budget };
}

function countsOf(steps: readonly EventStep[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of steps) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function describeGates({ run }: ListedRun, { models }: Context): Promise<string[]> {
  const { id: runId, currentPhase: phase, versionId } = run;
  if (!isRunUnderWay(run) || phase === null) return [];
  const version: EventVersion = await models.EventVersion.findByPk(versionId, {
    attributes: ["spec"],
    rejectOnEmpty: true,
  });
  const gate = specOf(version).phases.find(({ key }) => key === phase)?.advance;
  if (!gate) return [];
  const hits = await models.EventTriggerHit.count({ where: { runId, phase } });
  return [gateSentence(fillTemplates(gate, run.params) as PhaseGate, hits)];
}

/** Returns a sentence about the condition that a phase waits for. */
function gateSentence(gate: PhaseGate, hits: number): string {
  if (gate.kind === "steps") return "waiting for the steps of the phase to end";
  if (gate.kind === "manual") return "waiting for a person to advance the run";
  if (gate.kind === "after") return `waiting until ${gate.seconds} s after the phase began`;
  const { trigger, count, where } = gate;
  const conditions = where.map(conditionText).join(" and ");
  const more = Math.max(0, count - hits);
  return `waiting for ${more} more of \`${trigger}\`${conditions && ` where ${conditions}`}`;
}

const operatorTexts: Readonly<Record<Operator, string>> = {
  eq: "is",
  ne: "is not",
  gt: "is more than",
  gte: "is at least",
  lt: "is less than",
  lte: "is at most",
  in: "is one of",
  contains: "contains",
  exists: "is present",
};

function conditionText({ var: name, op, value }: GateCondition): string {
  if (op === "exists") return value === true ? `${name} is present` : `${name} is absent`;
  return `${name} ${operatorTexts[op]} ${textOf(value)}`;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
