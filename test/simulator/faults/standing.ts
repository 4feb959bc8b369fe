/** The ways to spoil an answer of the control plane. */
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

export interface SpoilRule {
  readonly spoiling: AnswerFault;
  /** Empty for any. */
  readonly method: string;
  /** The start of the path without the prefix; empty for any. */
  readonly path: string;
  readonly ms: number;
  readonly status: number;
  readonly code: string;
  readonly bytes: number;
  /** True if the call takes effect before its answer is spoiled. */
  readonly carryOut: boolean;
  left: number;
}

export type RefusalStatus = 401 | 409 | 423;

/** The active faults of any sidecar; the affected code checks and consumes them. */
export class ActiveFaults {
  writesDisabled = false;
  /** The number of commands to answer with 429. */
  limited = 0;
  /** Added to the game's clock. */
  skewMs = 0;
  /** The time the sidecar waits for its game before it answers 503; 0 means forever. */
  patienceMs = 0;
  disorder = { left: 0, ms: 0 };
  #refusals: { status: RefusalStatus; left: number }[] = [];
  #overlap = 0;
  #rules: SpoilRule[] = [];
  #held: (() => void)[] = [];

  clear(): void {
    Object.assign(this, new ActiveFaults());
    this.#refusals = [];
    this.#overlap = 0;
    this.#rules = [];
    this.release();
  }

  /** Delays an answer until `release`. */
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

  /** Affects one connection only. */
  takeOverlap(): number {
    const count = this.#overlap;
    this.#overlap = 0;
    return count;
  }

  addRule(rule: SpoilRule): void {
    this.#rules.push(rule);
  }

  takeRule(method: string, path: string): SpoilRule | undefined {
    return takeOne(
      this.#rules,
      (rule) => (rule.method === "" || rule.method === method) && path.startsWith(rule.path),
    );
  }

  /** At most `ms` in either direction, for the requested number of events. */
  takeDisorder(draw: () => number): number {
    if (this.disorder.left <= 0) return 0;
    this.disorder.left--;
    return Math.round((draw() * 2 - 1) * this.disorder.ms);
  }
}

/** Takes one use of the first match; Infinity is never used up. */
function takeOne<T extends { left: number }>(list: T[], fits: (one: T) => boolean): T | undefined {
  const one = list.find((entry) => entry.left > 0 && fits(entry));
  if (one !== undefined) one.left--;
  return one;
}
