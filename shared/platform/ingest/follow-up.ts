import { BridgeError } from "../bridge/bridge-error.ts";
import type { Control } from "../bridge/calls/control.ts";
import { type StreamFrame, makesDoubtful } from "../bridge/frames.ts";
import type { Logger } from "../log.ts";
import { Backoff, withoutJitter } from "../time/backoff.ts";
import type { Ownership } from "./ownership.ts";

/** How long an answer is waited for before it is asked for again; doubles while none comes. */
const firstWaitMs = 15_000;
const longestWaitMs = 600_000;

/**
 * Asks the sidecar for something that the stream alone does not bring.
 * @returns whether to look again later: what the sidecar promised may be lost on its way
 */
export type Question = (control: Control, owner: Ownership) => Promise<boolean>;

/**
 * Asks the sidecar, whenever the game server comes back or events may be lost, and until it has what
 * it asked for. It runs beside the stream. What is to be asked is kept in memory: the next owner of
 * the source asks at its own hello.
 */
export class FollowUp {
  readonly #owner: Ownership;
  readonly #questions: readonly Question[];
  readonly #log: Logger;
  readonly #wanted = new Set<Question>();
  readonly #waits = new Backoff(firstWaitMs, longestWaitMs, withoutJitter);
  #control: Control | null = null;
  #isDue = false;
  #asking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(owner: Ownership, questions: readonly Question[], log: Logger) {
    this.#owner = owner;
    this.#questions = questions;
    this.#log = log;
  }

  /** Asks through this from now on; null when there is no link. */
  use(control: Control | null): void {
    this.#control?.close();
    this.#control = control;
  }

  /** Looks at frames that were stored, and asks at once for what they make doubtful. */
  after(frames: readonly StreamFrame[]): void {
    const isDoubtful = frames.some(makesDoubtful);
    // What is replayed may tell of states that a crash undid since: what was asked for before is
    // older than they seem to be.
    if (!isDoubtful && !frames.some(({ type }) => type === "live")) return;
    for (const question of this.#questions) this.#wanted.add(question);
    if (isDoubtful) this.#waits.reset();
    this.#ask();
  }

  stop(): void {
    this.use(null);
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
      // One that fails does not keep the others from being asked.
      await this.#askOne(question, control).catch((error: unknown) => {
        if (control !== this.#control) return;
        this.#log.warn({ err: error }, "the game server did not answer a follow-up");
        this.#askLater();
      });
    }
  }

  async #askOne(question: Question, control: Control): Promise<void> {
    if (!this.#wanted.delete(question)) return;
    try {
      if (!(await question(control, this.#owner))) return;
    } catch (error) {
      // A game server that does not have the call gives no other answer until it comes back.
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
