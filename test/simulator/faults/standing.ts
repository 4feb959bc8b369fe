export const sources = ["clilocs", "assets", "atlas"] as const;
export type Source = (typeof sources)[number];

/** What is wrong with a paged source while it is walked; absent is sound. */
export interface WalkFaults {
  /** The source becomes another after so many more pages. */
  changeAfter?: number | undefined;
  stuck?: "repeat" | "empty" | undefined;
  /** Added to the counts of the manifest. */
  miscount?: number | undefined;
  incomplete?: boolean | undefined;
  /** It is being hashed again, from the manifest after so many sound ones. */
  hashingAfter?: number | undefined;
  /** So many pages hold rows that no schema lets through. */
  badPages?: number | undefined;
}

/** The ways an answer of the control plane is spoiled. */
export type Spoiling =
  | "slow"
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
  readonly spoiling: Spoiling;
  /** Empty for any. */
  readonly method: string;
  /** How the path begins, without the prefix; empty for any. */
  readonly path: string;
  readonly ms: number;
  readonly status: number;
  readonly code: string;
  readonly bytes: number;
  /** Whether the call takes effect before its answer is spoiled. */
  readonly carryOut: boolean;
  left: number;
}

export const tears = ["noEnd", "missingPage", "wrongPages", "wrongCount", "wrongId"] as const;

export interface Tear {
  readonly form: (typeof tears)[number];
  /** Empty for whichever comes first. */
  readonly family: string;
}

export type RefusalStatus = 401 | 409 | 423;

/** Faults that lie in wait: whoever they concern asks here and takes them. */
export class StandingFaults {
  readonly walks: Record<Source, WalkFaults> = { clilocs: {}, assets: {}, atlas: {} };
  writesDisabled = false;
  noImaging = false;
  /** Commands to be answered 429. */
  limited = 0;
  /** Pictures to be answered wrongly, and how. */
  badImages = { left: 0, form: "hash" };
  /** Only these families of pictures are served; undefined for all. */
  families: readonly string[] | undefined;
  /** Added to the game's clock. */
  skewMs = 0;
  disorder = { left: 0, ms: 0 };
  #refusals: { status: RefusalStatus; left: number }[] = [];
  #overlap = 0;
  #rules: SpoilRule[] = [];
  #tears: Tear[] = [];

  clear(): void {
    Object.assign(this, new StandingFaults());
    this.#refusals = [];
    this.#overlap = 0;
    this.#rules = [];
    this.#tears = [];
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

  /** For one connection only. */
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

  tear(tear: Tear): void {
    this.#tears.push(tear);
  }

  takeTear(family: string): Tear | undefined {
    const at = this.#tears.findIndex((one) => one.family === "" || one.family === family);
    return at === -1 ? undefined : this.#tears.splice(at, 1)[0];
  }

  /** By at most `ms` to either side, for as many events as was asked. */
  takeDisorder(draw: () => number): number {
    if (this.disorder.left <= 0) return 0;
    this.disorder.left--;
    return Math.round((draw() * 2 - 1) * this.disorder.ms);
  }
}

/** The first that fits, used up by one; `left` Infinity is never used up. */
function takeOne<T extends { left: number }>(list: T[], fits: (one: T) => boolean): T | undefined {
  const one = list.find((entry) => entry.left > 0 && fits(entry));
  if (one !== undefined) one.left--;
  return one;
}
