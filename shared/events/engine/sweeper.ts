import { setTimeout as sleep } from "node:timers/promises";

import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { EventContext } from "../context.ts";
import { countGateEvents } from "./count-triggers.ts";
import { findDueGates, findDueRuns, findDueSteps } from "./due.ts";
import { lockRun } from "./lock-run.ts";
import { runStep } from "./run-step.ts";
import { startDueRun } from "./start-run.ts";
import { applyRunInput } from "./write-run.ts";

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
  await countGateEvents(context);
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
    if (locked) await applyRunInput(locked, { kind: "look" }, transaction, context);
  });

const intervalMs = 1_000;

/** Maximum number of steps that a process executes in addition to the steps of its job queue. */
const maxConcurrentSteps = 8;

/**
 * Looks for due work once a second. The rows hold the work, and jobs only wake workers earlier: without jobs, the
 * engine would be up to one second late.
 */
export class EventSweeper {
  readonly #context: EventContext;
  readonly #stopping = new AbortController();
  readonly #working = new Map<number, Promise<void>>();
  #running: Promise<void> = Promise.resolve();

  constructor(context: EventContext) {
    this.#context = context;
  }

  start(): void {
    this.#running = this.#sweepUntilStopped();
  }

  /** Aborts the attempts under way and waits for their end. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error("the worker stops"));
    await this.#running;
    await Promise.all(this.#working.values());
  }

  async #sweepUntilStopped(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#sweep().catch((error: unknown) =>
        this.#context.log.warn({ err: error }, "due runs and steps of events could not be read"),
      );
      await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #sweep(): Promise<void> {
    await sweepRuns(this.#context);
    const free = maxConcurrentSteps - this.#working.size;
    if (free <= 0) return;
    const due = await findDueSteps(this.#context.sequelize, maxConcurrentSteps * 2);
    const untaken = due.filter((id) => !this.#working.has(id));
    for (const stepId of untaken.slice(0, free)) this.#work(stepId);
  }

  #work(stepId: number): void {
    const work = runStep(stepId, this.#context, this.#stopping.signal)
      .catch((error: unknown) => this.#context.log.error({ err: error, stepId }, "a step failed"))
      .finally(() => this.#working.delete(stepId));
    this.#working.set(stepId, work);
  }
}
