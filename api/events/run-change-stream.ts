import { setTimeout as sleep } from "node:timers/promises";

import { listRunsById, listStepsById } from "../../shared/events/runs/read-runs.ts";
import type { Context } from "../../shared/platform/context.ts";
import type { EventStreams } from "../stream/event-streams.ts";
import { viewRun, viewStep } from "./run-views.ts";

/** The pause after each read, so that several changes of one record cause one read. */
const batchPauseMs = 100;

/** The pause after a failed read. */
const retryMs = 1_000;

/**
 * Reads changed runs and steps and sends them to the streams that carry them, because a notification of the
 * database holds only ids. Without subscribers it reads nothing.
 */
export class RunChangeStream {
  readonly #context: Pick<Context, "models" | "listener" | "log">;
  readonly #streams: EventStreams;
  #runIds = new Set<number>();
  #stepIds = new Set<number>();
  #unlisten: (() => void)[] = [];
  #running: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  constructor(context: Pick<Context, "models" | "listener" | "log">, streams: EventStreams) {
    this.#context = context;
    this.#streams = streams;
  }

  start(): void {
    const { listener } = this.#context;
    this.#unlisten = [
      listener.on("event_changes", ({ runId, stepIds }) => this.#note(runId, stepIds)),
      // Notifications may have been lost while the connection was down, so the subscribers read everything again.
      listener.onGap(() => this.#streams.resetNotices("event.run")),
    ];
  }

  async stop(): Promise<void> {
    for (const unlisten of this.#unlisten) unlisten();
    this.#stopping.abort();
    await this.#running;
  }

  #note(runId: number, stepIds: readonly number[]): void {
    if (!this.#streams.hasFollowers("event.run")) return;
    this.#runIds.add(runId);
    for (const id of stepIds) this.#stepIds.add(id);
    this.#running ??= this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    const { signal } = this.#stopping;
    while (this.#runIds.size > 0 && !signal.aborted) {
      const isTold = await this.#tellNoted();
      await sleep(isTold ? batchPauseMs : retryMs, undefined, { signal }).catch(() => undefined);
    }
    this.#running = undefined;
  }

  /**
   * Sends the runs and steps with the noted ids.
   * @returns false if the read failed; the ids then stay noted for the next read
   */
  async #tellNoted(): Promise<boolean> {
    const [runIds, stepIds] = [this.#runIds, this.#stepIds];
    this.#runIds = new Set();
    this.#stepIds = new Set();
    // Without subscribers, drop the ids: a later subscriber starts by reading everything.
    if (!this.#streams.hasFollowers("event.run")) return true;
    try {
      await this.#tell([...runIds], [...stepIds]);
      return true;
    } catch (error) {
      this.#context.log.warn(
        { err: error },
        "changed runs could not be sent to the event streams and are sent again",
      );
      this.#runIds = new Set([...runIds, ...this.#runIds]);
      this.#stepIds = new Set([...stepIds, ...this.#stepIds]);
      return false;
    }
  }

  async #tell(runIds: readonly number[], stepIds: readonly number[]): Promise<void> {
    const [runs, steps] = await Promise.all([
      listRunsById(runIds, this.#context),
      listStepsById(stepIds, this.#context),
    ]);
    for (const step of steps) this.#streams.sendNotice("event.step", viewStep(step));
    for (const run of runs) this.#streams.sendNotice("event.run", viewRun(run));
  }
}
