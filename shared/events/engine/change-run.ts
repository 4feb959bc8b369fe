import type { Transaction } from "sequelize";

import type { Change } from "../machine/change.ts";
import { isRefusal, transition, type Trigger } from "../machine/transition.ts";
import { announceRun, type RunContext } from "./announce-run.ts";
import type { LockedRun } from "./lock-run.ts";
import { writeChange, type Writing } from "./write-change.ts";

type Changed = Change | { readonly refusal: string };

/** Takes a locked run through one transition, and writes what became of it. */
export async function changeRun(
  locked: LockedRun,
  trigger: Trigger,
  transaction: Transaction,
  context: RunContext,
): Promise<Changed> {
  const decided = transition(locked.run, trigger, locked.now);
  if (!isRefusal(decided)) await writeRun(locked, decided, { transaction, context });
  return decided;
}

interface RunWriting extends Writing {
  readonly context: RunContext;
}

/** Writes what transitions made of a locked run, and announces what everybody may know of it. */
export async function writeRun(
  { run, facts }: LockedRun,
  change: Change,
  writing: RunWriting,
): Promise<void> {
  await writeChange(run, change, writing);
  await announceRun(run, change, facts, writing);
}
