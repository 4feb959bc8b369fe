import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { EventContext } from "../context.ts";
import { findDueGates, findDueRuns } from "./due.ts";
import { hearEvents } from "./hear-events.ts";
import { lockRun } from "./lock-run.ts";
import { startDueRun } from "./start-run.ts";
import { changeRun } from "./write-run.ts";

/** Maximum of each kind per pass; the next pass continues. */
const most = 200;

/** Starts due runs and evaluates the gates whose time has come. */
export async function sweepRuns(context: EventContext): Promise<void> {
  const { sequelize, log } = context;
  for (const runId of await findDueRuns(sequelize, most)) {
    await alone("a run was not started", () => startDueRun(runId, context), { log, runId });
  }
  // Count news first: an event before the timeout still opens its gate.
  await hearEvents(context);
  for (const runId of await findDueGates(sequelize, most)) {
    await alone("a gate was not looked at", () => lookAtRun(runId, context), { log, runId });
  }
}

interface Place extends Pick<Context, "log"> {
  readonly runId: number;
}

/** One failing run must not stop the others. */
async function alone(words: string, work: () => Promise<void>, { log, runId }: Place) {
  try {
    await work();
  } catch (error) {
    log.error({ err: error, runId }, words);
  }
}

const lookAtRun = (runId: number, context: EventContext): Promise<void> =>
  inTransaction(context.sequelize, async (transaction) => {
    const locked = await lockRun(runId, transaction, { by: "run unless locked" });
    if (locked) await changeRun(locked, { kind: "look" }, transaction, context);
  });
