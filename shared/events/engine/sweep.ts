import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { EventContext } from "../context.ts";
import { countTriggers } from "./count-triggers.ts";
import { findDueGates, findDueRuns } from "./due.ts";
import { lockRun } from "./lock-run.ts";
import { startDueRun } from "./start-run.ts";
import { applyInput } from "./write-run.ts";

/** Maximum number of runs, and of gates, per pass; the next pass continues. */
const maxPerPass = 200;

/** Starts due runs and evaluates the gates whose time has come. */
export async function sweepRuns(context: EventContext): Promise<void> {
  const { sequelize, log } = context;
  for (const runId of await findDueRuns(sequelize, maxPerPass)) {
    await runIsolated("a due run could not be started", () => startDueRun(runId, context), {
      log,
      runId,
    });
  }
  // Count events first: an event that arrived before the timeout still opens its gate.
  await countTriggers(context);
  for (const runId of await findDueGates(sequelize, maxPerPass)) {
    await runIsolated("a due gate could not be evaluated", () => evaluateGate(runId, context), {
      log,
      runId,
    });
  }
}

interface LogContext extends Pick<Context, "log"> {
  readonly runId: number;
}

/** One failing run must not stop the others. */
async function runIsolated(words: string, work: () => Promise<void>, { log, runId }: LogContext) {
  try {
    await work();
  } catch (error) {
    log.error({ err: error, runId }, words);
  }
}

const evaluateGate = (runId: number, context: EventContext): Promise<void> =>
  inTransaction(context.sequelize, async (transaction) => {
    const locked = await lockRun(runId, transaction, { by: "run unless locked" });
    if (locked) await applyInput(locked, { kind: "look" }, transaction, context);
  });
