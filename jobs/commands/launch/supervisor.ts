import { setTimeout as sleep } from "node:timers/promises";

import { messageOf } from "../../../shared/platform/errors/errors.ts";
import { Backoff, withoutJitter } from "../../../shared/platform/time/backoff.ts";

/** A process or server that runs until it is stopped or dies. */
export interface RunningService {
  /** Resolves when the service ends, with the reason. It never rejects. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** Starts a service and resolves when it is ready. If the signal aborts, it cleans up and rejects. */
export type StartFunction = (signal: AbortSignal) => Promise<RunningService>;

export interface SupervisorOptions {
  readonly name: string;
  readonly start: StartFunction;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** Milliseconds before the first restart. The pause doubles with each further restart within a minute. */
  readonly firstPauseMs?: number;
}

const longestPauseMs = 30_000;
/** After a service has run for this long, the pause before its next restart is short again. */
const steadyMs = 60_000;

/** Keeps one service running and restarts it after each unexpected end. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #stopping = new AbortController();
  readonly #signal: AbortSignal;
  #running: RunningService | undefined;
  #starting: Promise<RunningService> | undefined;
  #watching: Promise<void> | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#stopping.signal]);
  }

  /** @throws if the first start fails */
  async start(): Promise<void> {
    this.#starting = this.#begin();
    this.#running = await this.#starting;
    this.#watching = this.#watch();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#starting?.catch(() => undefined);
    await this.#running?.stop();
    await this.#watching;
  }

  async #begin(): Promise<RunningService> {
    const running = await this.#options.start(this.#signal);
    if (!this.#signal.aborted) return running;
    await running.stop();
    throw this.#signal.reason;
  }

  async #watch(): Promise<void> {
    const { firstPauseMs = 500 } = this.#options;
    const pauses = new Backoff(firstPauseMs, longestPauseMs, withoutJitter);
    while (this.#running) {
      const startedAt = performance.now();
      const how = await this.#running.ended;
      this.#running = undefined;
      if (performance.now() - startedAt > steadyMs) pauses.reset();
      await this.#startAgain(how, pauses);
    }
  }

  async #startAgain(ending: string, pauses: Backoff): Promise<void> {
    const { name, say } = this.#options;
    const signal = this.#signal;
    for (let how = ending; !signal.aborted && !this.#running;) {
      const pauseMs = pauses.next();
      say(`${name} ended (${how}) and is started again in ${pauseMs / 1000} s`);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        this.#running = await this.#begin();
        say(`${name} is back`);
      } catch (error) {
        how = messageOf(error);
      }
    }
  }
}
