import { randomUUID } from "node:crypto";

import type { Transaction } from "sequelize";

import type { Values } from "../../facts/param.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { fillParams } from "../actions/action.ts";
import { findAction } from "../actions/catalogue.ts";
import type { EventContext } from "../context.ts";
import { type Change, refuse } from "../machine/change.ts";
import type { RunState } from "../machine/state.ts";
import { isRefusal, transition } from "../machine/transition.ts";
import { writeRun } from "./change-run.ts";
import {
  type LockedRun,
  lockRunOfStep,
  type RunFacts,
  type StepWork,
  stepWorkAttributes,
} from "./lock-run.ts";

/** How long a worker holds a step without renewing its lease. */
export const leaseMs = 30_000;

/** A step that one worker holds, for one attempt. */
export interface ClaimedStep {
  readonly step: StepWork;
  /** Filled in, and the same at each attempt. */
  readonly params: Values;
  /** The name of this attempt alone. */
  readonly owner: string;
  readonly attempt: number;
  readonly facts: RunFacts;
}

/**
 * Takes a step that is due.
 * @returns null when it is not, when it was settled by taking it, or while somebody is at its run
 */
export const claimStep = (stepId: number, context: EventContext): Promise<ClaimedStep | null> =>
  inTransaction(context.sequelize, async (transaction) => {
    const locked = await lockRunOfStep(stepId, transaction);
    if (!locked) return null;
    const nothingYet = { run: locked.run, log: [] };
    return claimWithin(locked, { stepId, change: nothingYet }, { transaction, context });
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

/** Takes a step of a locked run. @returns null when it was not taken */
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
  const state = claimed.run.steps.find(({ id }) => id === stepId);
  const isHeld = state?.leaseOwner === owner;
  const step = isHeld ? (locked.atHand.get(stepId) ?? (await readStep(stepId, transaction))) : null;
  if (!step || !state) {
    await writeRun(locked, claimed, { transaction, context });
    return null;
  }
  const params = step.isFilled ? step.params : fillIn(step, namedIn(claimed.run, locked.facts));
  const filled = step.isFilled ? undefined : { stepId, params };
  await writeRun(locked, claimed, { transaction, context, filled });
  return { step, params, owner, attempt: state.attempts, facts: locked.facts };
}

const readStep = (stepId: number, transaction: Transaction): Promise<StepWork | null> =>
  modelsOf(transaction).EventStep.findByPk(stepId, {
    attributes: [...stepWorkAttributes],
    transaction,
  });

/**
 * What templates may name. A parameter hides a variable of its name also where it was not given: what
 * a name means does not depend on who starts the run.
 */
function namedIn({ variables }: RunState, { params, paramNames }: RunFacts): Values {
  const hidden = new Set(paramNames);
  const shown = Object.entries(variables).filter(([name]) => !hidden.has(name));
  return { ...Object.fromEntries(shown), ...params };
}

/** Filled in at the first claim: another attempt under the same key has to ask for the same. */
const fillIn = ({ actionId, params }: StepWork, values: Values): Values =>
  fillParams(findAction(actionId), params, values);
