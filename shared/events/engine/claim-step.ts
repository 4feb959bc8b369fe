import { randomUUID } from "node:crypto";

import type { Transaction } from "sequelize";

import type { ParamValues } from "../../facts/param.ts";
import type { Context } from "../../platform/context.ts";
import { executeStatement } from "../../platform/db/rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { fillParams } from "../actions/action.ts";
import { findAction } from "../actions/catalogue.ts";
import type { EventContext } from "../context.ts";
import {
  type RunChange,
  createTransitionRefusal,
  createEmptyChange,
} from "../machine/run-change.ts";
import { isTransitionRefusal, applyTransition } from "../machine/transition.ts";
import { type LockedRun, lockRun, type StepTask } from "./lock-run.ts";
import { writeRun } from "./write-run.ts";

/** How long a worker holds a step without renewing its lease. */
const leaseMs = 30_000;

/** A step that one worker holds, for one attempt. */
export interface ClaimedStep {
  /** The parameters are filled in and the same for every attempt. */
  readonly step: StepTask;
  /** The unique name of this attempt, stored as the owner of the lease. */
  readonly owner: string;
  readonly attempt: number;
  /** The state of the run after the claim. */
  readonly left: LockedRun;
}

/**
 * THE condition for a worker to hold a step, as SQL: the lease belongs to this attempt and has not
 * expired. `leaseHolderValues` returns $1 to $3.
 * @param step the name of the step's row in the statement
 */
export const isLeaseHeldSql = (step: string): string => `
  ${step}.id = $1 and ${step}.lease_owner = $2 and ${step}.attempts = $3
    and ${step}.status = 'running' and ${step}.lease_until > clock_timestamp()`;

export const leaseHolderValues = ({ step, owner, attempt }: ClaimedStep): readonly unknown[] => [
  step.id,
  owner,
  attempt,
];

/** Claims a step. Returns null if it is not due, its run is locked or it needs no attempt. */
export const claimStep = (stepId: number, context: EventContext): Promise<ClaimedStep | null> =>
  inTransaction(context.sequelize, async (transaction) => {
    const locked = await lockRun(stepId, transaction, { by: "run of step" });
    if (!locked) return null;
    const change = createEmptyChange(locked.run);
    return claimStepOfRun(locked, { stepId, change }, { transaction, context });
  });

interface ClaimOptions {
  readonly stepId: number;
  /** Changes that the transaction made to the run before the claim; written together with the claim. */
  readonly change: RunChange;
}

interface TransactionScope {
  readonly transaction: Transaction;
  readonly context: EventContext;
}

/** Claims a due step of a locked run and writes the run; returns null if it claims nothing. */
export async function claimStepOfRun(
  locked: LockedRun,
  { stepId, change }: ClaimOptions,
  { transaction, context }: TransactionScope,
): Promise<ClaimedStep | null> {
  const owner = randomUUID();
  const trigger = { kind: "claim", stepId, owner, leaseMs } as const;
  const decided = locked.facts.areStepsPaused
    ? createTransitionRefusal("steps are paused")
    : applyTransition(change.run, trigger, locked.now);
  const claimed = isTransitionRefusal(decided)
    ? change
    : { run: decided.run, log: [...change.log, ...decided.log] };
  const state = claimed.run.steps.find(({ leaseOwner }) => leaseOwner === owner);
  const work = locked.work.get(stepId);
  if (!state || !work) {
    await writeRun(locked, claimed, { transaction, context });
    return null;
  }
  const step = work.isFilled ? work : fillParamsOnce(work, { ...locked, run: claimed.run });
  const filled = work.isFilled ? undefined : step;
  const written = await writeRun(locked, claimed, { transaction, context, filled });
  const left = { ...written, work: new Map(written.work).set(stepId, step) };
  return { step, owner, attempt: state.attempts, left };
}

/**
 * Fills in the templates of a step once: all attempts with one idempotency key must send the same values. If a
 * parameter and a variable have the same name, the template always means the parameter, even if it has no value:
 * the meaning must not depend on the values that a person gave at the start.
 */
function fillParamsOnce(work: StepTask, { run, facts }: LockedRun): StepTask {
  const hidden = new Set(facts.paramNames);
  const shown = Object.entries(run.variables).filter(([name]) => !hidden.has(name));
  const known: ParamValues = { ...Object.fromEntries(shown), ...facts.params };
  const params = fillParams(findAction(work.actionId), work.params, known);
  return { ...work, params, isFilled: true };
}

const renewMs = 10_000;

const renewLeaseSql = `
  update event_steps set lease_until = clock_timestamp() + make_interval(secs => $4::float8)
  where ${isLeaseHeldSql("event_steps")}`;

interface HeldLease {
  /** Aborts when the lease is lost. */
  readonly signal: AbortSignal;
  release(): void;
}

/** Renews a worker's lease until it is released. */
export function startLeaseRenewal(
  claimed: ClaimedStep,
  { sequelize, log }: Pick<Context, "sequelize" | "log">,
): HeldLease {
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    const values = [...leaseHolderValues(claimed), leaseMs / 1_000];
    const renewed = await executeStatement(sequelize, renewLeaseSql, values);
    if (renewed === 0) lost.abort(new Error("the lease was lost"));
  };
  const timer = setInterval(() => {
    // One failed renewal is harmless: the next one still comes in time.
    renew().catch((error: unknown) =>
      log.warn(
        { err: error, stepId: claimed.step.id },
        "the lease of a step could not be renewed and is tried again",
      ),
    );
  }, renewMs);
  return { signal: lost.signal, release: () => clearInterval(timer) };
}
