import type { EventBudget } from "../../../models/events/event-budget.ts";
import type { EventStep } from "../../../models/events/event-step.ts";
import type { EventVersion } from "../../../models/events/event-version.ts";
import type { Context } from "../../platform/context.ts";
import type { EventContext } from "../context.ts";
import { isUnderWay } from "../machine/state.ts";
import { fill } from "../params/template.ts";
import type { Gate } from "../spec/spec.ts";
import { specOf } from "../spec/stored-spec.ts";
import { gateSentence } from "./gate-sentence.ts";
import { findRun, type ListedRun } from "./read-runs.ts";

/** A run with all that it is made of. */
export interface RunDetail extends ListedRun {
  readonly steps: readonly EventStep[];
  /** How many steps have each status that occurs. */
  readonly counts: Readonly<Record<string, number>>;
  /** What the run waits for, as a sentence; empty unless it is under way. */
  readonly gates: readonly string[];
  readonly budget: readonly EventBudget[];
}

/** @throws AppError missing when there is none */
export async function readRun(id: number, context: EventContext): Promise<RunDetail> {
  const { models } = context;
  const listed = await findRun(id, context);
  const where = { runId: id };
  const [steps, budget, gates] = await Promise.all([
    models.EventStep.findAll({ where, order: ["phaseIndex", "seq"] }),
    models.EventBudget.findAll({ where, order: ["dimension"] }),
    gatesOf(listed, context),
  ]);
  return { ...listed, steps, counts: countsOf(steps), gates, budget };
}

function countsOf(steps: readonly EventStep[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of steps) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function gatesOf({ run }: ListedRun, { models }: Context): Promise<string[]> {
  const { id: runId, currentPhase: phase, versionId } = run;
  if (!isUnderWay(run) || phase === null) return [];
  const version: EventVersion = await models.EventVersion.findByPk(versionId, {
    attributes: ["spec"],
    rejectOnEmpty: true,
  });
  const gate = specOf(version).phases.find(({ key }) => key === phase)?.advance;
  if (!gate) return [];
  const hits = await models.EventTriggerHit.count({ where: { runId, phase } });
  return [gateSentence(fill(gate, run.params) as Gate, hits)];
}
