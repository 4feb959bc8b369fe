/** The ways in which an answer of the control plane can be spoiled. */
export type AnswerFault =
  | "slow"
  | "hold"
  | "status"
  | "html"
  | "rubbish"
  | "cut"
  | "hang"
  | "oversize"
  | "redirect"
  | "unauthorized"
  | "protocol";

export interface AnswerFaultRule {
  readonly spoiling: AnswerFault;
  /** The method of the affected calls. An empty text means any. */
  readonly method: string;
  /** The beginning of the affected paths, without the prefix. An empty text means any. */
  readonly path: string;
  readonly ms: number;
  readonly status: number;
  readonly code: string;
  readonly bytes: number;
  /** True if the call has its effect before the answer is spoiled. */
  readonly carryOut: boolean;
  left: number;
}

export type RefusalStatus = 401 | 409 | 423;

/** The active faults of a sidecar. Code that applies a fault reads it here and decreases its count. */
export class ActiveFaults {
  writesDisabled = false;
  /** The number of commands that are still answered with 429. */
  limited = 0;
  /** The milliseconds that are added to the game's clock. */
  skewMs = 0;
  /**
   * The milliseconds that the sidecar waits for the game before it answers 503. With 0 it waits
   * until the game answers.
   */
  patienceMs = 0;
  disorder = { left: 0, ms: 0 };
  #refusals: { status: RefusalStatus; left: number }[] = [];
  #overlap = 0;
  #rules: AnswerFaultRule[] = [];
  #held: (() => void)[] = [];

  clear(): void {
    Object.assign(this, new ActiveFaults());
    this.#refusals = [];
    this.#overlap = 0;
    this.#rules = [];
    this.release();
  }

  /** Keeps an answer back until `release` is called. */
  hold(answer: () => void): void {
    this.#held.push(answer);
  }

  release(): void {
    for (const answer of this.#held.splice(0)) answer();
  }

  refuse(status: RefusalStatus, times: number): void {
    this.#refusals.push({ status, left: times });
  }

  takeRefusal(): RefusalStatus | undefined {
    return takeOne(this.#refusals, () => true)?.status;
  }

  overlap(count: number): void {
    this.#overlap = count;
  }

  /**
   * Returns how many events the next replay repeats, and resets the number, so that later replays repeat none.
   */
  takeOverlap(): number {
    const count = this.#overlap;
    this.#overlap = 0;
    return count;
  }

  addRule(rule: AnswerFaultRule): void {
    this.#rules.push(rule);
  }

  takeRule(method: string, path: string): AnswerFaultRule | undefined {
    return takeOne(
      this.#rules,
      (rule) => (rule.method === "" || rule.method === method) && path.startsWith(rule.path),
    );
  }

  /** Returns the milliseconds by which the time of the next event is shifted. */
  takeDisorder(draw: () => number): number {
    if (this.disorder.left <= 0) return 0;
    this.disorder.left--;
    return Math.round((draw() * 2 - 1) * this.disorder.ms);
  }
}

/** Returns the first entry that fits and decreases its count. An infinite count stays infinite. */
function takeOne<T extends { left: number }>(list: T[], fits: (one: T) => boolean): T | undefined {
  const one = list.find((entry) => entry.left > 0 && fits(entry));
  if (one !== undefined) one.left--;
  return one;
}
