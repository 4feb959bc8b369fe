/** The number of faults in a row that opens the breaker. */
const faultsToOpen = 10;
/** How long an open breaker blocks messages. */
const openMs = 60_000;

/** `closed`: no limit. `resting`: no messages for a while. `trying`: after the rest, one message at a time. */
export const breakerStates = ["closed", "resting", "trying"] as const;
export type BreakerState = (typeof breakerStates)[number];

/**
 * Stops sending to a failing relay for a while, in one process. Afterward, one message at a time tests the relay.
 */
export class Breaker {
  readonly #now: () => number;
  #faults = 0;
  #openUntil = 0;
  #isTrying = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Milliseconds until the relay can be used again; 0 if it can be used now. */
  get restMs(): number {
    return Math.max(0, this.#openUntil - this.#now());
  }

  get state(): BreakerState {
    if (this.restMs > 0) return "resting";
    return this.#faults < faultsToOpen ? "closed" : "trying";
  }

  /** Returns how many of the wanted messages may be sent now. */
  admit(wanted: number): number {
    if (this.restMs > 0 || this.#isTrying) return 0;
    if (this.#faults < faultsToOpen) return wanted;
    this.#isTrying = true;
    return 1;
  }

  /** Call it once the admitted messages are sent or not needed. */
  release(): void {
    this.#isTrying = false;
  }

  static countByState(breakers: readonly Breaker[]): Readonly<Record<BreakerState, number>> {
    const counts = { closed: 0, resting: 0, trying: 0 };
    for (const { state } of breakers) counts[state] += 1;
    return counts;
  }

  /** Counts the outcomes of messages in order. @param faulty true for each fault of the relay */
  record(faulty: readonly boolean[]): void {
    for (const isFaulty of faulty) this.#faults = isFaulty ? this.#faults + 1 : 0;
    const isOver = this.#faults >= faultsToOpen && faulty.includes(true);
    if (isOver) this.#openUntil = this.#now() + openMs;
  }
}
