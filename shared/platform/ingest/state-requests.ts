import { BridgeError } from "../bridge/bridge-error.ts";
import type { ControlClient } from "../bridge/calls/control.ts";
import { type StreamFrame, invalidatesStates } from "../bridge/frames.ts";
import type { Logger } from "../log.ts";
import { Backoff, withoutJitter } from "../time/backoff.ts";
import type { SourceOwnership } from "./ownership.ts";

/** Milliseconds until an unanswered request is repeated; they double with each attempt. */
const firstWaitMs = 15_000;
const longestWaitMs = 600_000;

/** Requests data that the event stream lacks. @returns true if the data must be requested again later */
export type StateRequest = (control: ControlClient, owner: SourceOwnership) => Promise<boolean>;

/**
 * Requests data from the sidecar after the game server has returned or events may have been lost. Retries until a
 * request succeeds. It runs in parallel with the stream. Pending requests are only in memory: the next owner of
 * the source makes them again after its own hello.
 */
export class StateRequester {
  readonly #owner: SourceOwnership;
  readonly #questions: readonly StateRequest[];
  readonly #log: Logger;
  readonly #wanted = new Set<StateRequest>();
  readonly #waits = new Backoff(firstWaitMs, longestWaitMs, withoutJitter);
  #control: ControlClient | null = null;
  #isDue = false;
  #asking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(owner: SourceOwnership, questions: readonly StateRequest[], log: Logger) {
    this.#owner = owner;
    this.#questions = questions;
    this.#log = log;
  }

  /** Sets the connection for requests; null if there is no link. */
  setControl(control: ControlClient | null): void {
    this.#control?.close();
    this.#control = control;
  }

  /** Checks frames that were stored, and requests the data that may be outdated because of them. */
  handleStored(frames: readonly StreamFrame[]): void {
    const isDoubtful = frames.some(invalidatesStates);
    // Request again after the replay: replayed events may describe states that a crash has undone, and
    // would overwrite an earlier answer.
    if (!isDoubtful && !frames.some(({ type }) => type === "live")) return;
    for (const question of this.#questions) this.#wanted.add(question);
    if (isDoubtful) this.#waits.reset();
    this.#ask();
  }

  stop(): void {
    this.setControl(null);
    clearTimeout(this.#timer);
  }

  #ask(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#asking = this.#asking.then(() => this.#askNow());
  }

  async #askNow(): Promise<void> {
    this.#isDue = false;
    const control = this.#control;
    if (!control) return;
    clearTimeout(this.#timer);
    for (const question of this.#questions) {
      await this.#askOne(question, control).catch((error: unknown) => {
        if (control !== this.#control) return;
        this.#log.warn({ err: error }, "the game server did not answer a request for its states");
        this.#askLater();
      });
    }
  }

  async #askOne(question: StateRequest, control: ControlClient): Promise<void> {
    if (!this.#wanted.delete(question)) return;
    try {
      if (!(await question(control, this.#owner))) return;
    } catch (error) {
      // Do not retry: a game server that lacks the call cannot answer before it restarts.
      if (isUnsupported(error)) return;
      this.#wanted.add(question);
      throw error;
    }
    this.#wanted.add(question);
    this.#askLater();
  }

  #askLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), this.#waits.next()).unref();
  }
}

const isUnsupported = (error: unknown): boolean =>
  error instanceof BridgeError && error.errorCode === "shard_unsupported";
