import { randomUUID } from "node:crypto";

import type { Transaction } from "sequelize";

import type { Values } from "../../facts/param.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { fillParams } from "../actions/action.ts";
import { findAction } from "../actions/catalogue.ts";
import type { EventContext } from "../context.ts";
import { type Change, refuse, unchanged } from "../machine/change.ts";
import { isRefusal, transition } from "../machine/transition.ts";
import { type LockedRun, lockRun, type StepWork } from "./lock-run.ts";
import { writeRun } from "./write-run.ts";

/** How long a worker holds a step without renewing its lease. */
export const leaseMs = 30_000;

/** A step that one worker holds, for one attempt. */
export interface ClaimedStep {
  /** Its parameters are filled in, and the same at each attempt. */
  readonly step: StepWork;
  /** The name of this attempt alone. */
  readonly owner: string;
  readonly attempt: number;
  /** The run as the claim left it. */
  readonly left: LockedRun;
}

/**
 * THE condition on a step, under its name in a statement, for a worker to hold it: the lease is of
 * this attempt and has not run out. The values are those of `heldAs`, as the first parameters.
 */
export const isHeld = (step: string): string => `
  ${step}.id = $1 and ${step}.lease_owner = $2 and ${step}.attempts = $3
    and ${step}.status = 'running' and ${step}.lease_until > clock_timestamp()`;

export const heldAs = ({ step, owner, attempt }: ClaimedStep): readonly unknown[] => [
  step.id,
  owner,
  attempt,
];

/**
 * Takes a step that is due.
 * @returns null when it is not, when it was settled by taking it, or while somebody is at its run
 */
export const claimStep = (stepId: number, context: EventContext): Promise<ClaimedStep | null> =>
  inTransaction(context.sequelize, async (transaction) => {
    const locked = await lockRun(stepId, transaction, { by: "run of step" });
    if (!locked) return null;
    const change = unchanged(locked.run);
    return claimWithin(locked, { stepId, change }, { transaction, context });
  });

interface Claiming {
  readonly stepId: number;
  /** What has become of the run before, which is written with the claim. */
  readonly change: Change;
}

interface Within {
  readonly transaction: Transaction;
  readonly context: EventContext;
}

/**
 * Takes a step of a locked run, if it is due, and writes what has become of the run.
 * @returns null when it was not taken
 */
export async function claimWithin(
  locked: LockedRun,
  { stepId, change }: Claiming,
  { transaction, context }: Within,
): Promise<ClaimedStep | null> {
  const owner = randomUUID();
  const trigger = { kind: "claim", stepId, owner, leaseMs } as const;
  const decided = locked.facts.areStepsPaused
    ? refuse("steps are paused")
    : transition(change.run, trigger, locked.now);
  const claimed = isRefusal(decided)
    ? change
    : { run: decided.run, log: [...change.log, ...decided.log] };
  const state = claimed.run.steps.find(({ leaseOwner }) => leaseOwner === owner);
  const work = locked.work.get(stepId);
  if (!state || !work) {
    await writeRun(locked, claimed, { transaction, context });
    return null;
  }
  const step = work.isFilled ? work : fillIn(work, { ...locked, run: claimed.run });
  const filled = work.isFilled ? undefined : step;
  const written = await writeRun(locked, claimed, { transaction, context, filled });
  const left = { ...written, work: new Map(written.work).set(stepId, step) };
  return { step, owner, attempt: state.attempts, left };
}

/**
 * Fills in the templates of a step, once: another attempt under the same key has to ask for the same.
 * A parameter hides a variable of its name also where it was not given: what a name means does not
 * depend on who starts the run.
 */
function fillIn(work: StepWork, { run, facts }: LockedRun): StepWork {
  const hidden = new Set(facts.paramNames);
  const shown = Object.entries(run.variables).filter(([name]) => !hidden.has(name));
  const known: Values = { ...Object.fromEntries(shown), ...facts.params };
  const params = fillParams(findAction(work.actionId), work.params, known);
  return { ...work, params, isFilled: true };
}
