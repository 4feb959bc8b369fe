import { setTimeout as sleep } from "node:timers/promises";

import type { EventContext } from "../context.ts";
import { findDueSteps } from "./due.ts";
import { sweepRuns } from "./sweep.ts";
import { workStep } from "./work-step.ts";

const everyMs = 1_000;

/** Steps that a process works beside those of its queue. */
const mostAtOnce = 8;

/**
 * Looks once a second for what is due. The rows say what is to be done, and jobs only wake: were
 * every job lost, the engine would be a second late.
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

  /** Ends after the attempts that are under way: they are told to end. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error("the worker stops"));
    await this.#running;
    await Promise.all(this.#working.values());
  }

  async #sweepUntilStopped(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#sweep().catch((error: unknown) =>
        this.#context.log.warn({ err: error }, "what is due of events could not be looked for"),
      );
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #sweep(): Promise<void> {
    await sweepRuns(this.#context);
    const free = mostAtOnce - this.#working.size;
    if (free <= 0) return;
    const due = await findDueSteps(this.#context.sequelize, mostAtOnce * 2);
    const untaken = due.filter((id) => !this.#working.has(id));
    for (const stepId of untaken.slice(0, free)) this.#work(stepId);
  }

  #work(stepId: number): void {
    const work = workStep(stepId, this.#context, this.#stopping.signal)
      .catch((error: unknown) => this.#context.log.error({ err: error, stepId }, "a step failed"))
      .finally(() => this.#working.delete(stepId));
    this.#working.set(stepId, work);
  }
}
