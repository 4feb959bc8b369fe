/** After so many faults in a row nothing more is sent to a relay, */
const faultsToOpen = 10;
/** for so long. */
const openMs = 60_000;

/** `resting`: nothing is sent; `trying`: one message at a time, after a rest; `closed`: all is well. */
export const breakerStates = ["closed", "resting", "trying"] as const;
export type BreakerState = (typeof breakerStates)[number];

/**
 * Keeps a process from a relay that is not well. Memory of one process: each finds out for itself.
 * After a rest one message at a time is let through, until one of them arrives.
 */
export class Breaker {
  readonly #now: () => number;
  #faults = 0;
  #openUntil = 0;
  #isTrying = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Milliseconds until the relay may be tried again; 0 when it may be now. */
  get restMs(): number {
    return Math.max(0, this.#openUntil - this.#now());
  }

  get state(): BreakerState {
    if (this.restMs > 0) return "resting";
    return this.#faults < faultsToOpen ? "closed" : "trying";
  }

  /** How many messages may go out now, of as many as are wanted. */
  admit(wanted: number): number {
    if (this.restMs > 0 || this.#isTrying) return 0;
    if (this.#faults < faultsToOpen) return wanted;
    this.#isTrying = true;
    return 1;
  }

  /** What was admitted has gone out, or was not needed. */
  release(): void {
    this.#isTrying = false;
  }

  /** How many of several there are in each state. */
  static countByState(breakers: readonly Breaker[]): Readonly<Record<BreakerState, number>> {
    const counts = { closed: 0, resting: 0, trying: 0 };
    for (const { state } of breakers) counts[state] += 1;
    return counts;
  }

  /** Counts what came of messages, in their order. @param faulty whether each was the relay's fault */
  note(faulty: readonly boolean[]): void {
    for (const isFaulty of faulty) this.#faults = isFaulty ? this.#faults + 1 : 0;
    const isOver = this.#faults >= faultsToOpen && faulty.includes(true);
    if (isOver) this.#openUntil = this.#now() + openMs;
  }
}
