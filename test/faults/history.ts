import { writeFileSync } from "node:fs";
import path from "node:path";

import { reportViolations } from "./failure-report.ts";

interface HistoryEntry {
  /** Milliseconds since the run began. */
  readonly at: number;
  readonly what: string;
  readonly detail?: object | undefined;
}

interface ReportedRun {
  readonly name: string;
  readonly seed: string;
}

/** Records all actions and observations of a run in order. A failed run prints them. */
export class History {
  readonly #startedAt = performance.now();
  readonly #happenings: HistoryEntry[] = [];
  readonly #violations: string[] = [];
  readonly #findings: string[] = [];
  readonly #tell: (line: string) => void;

  /** @param tell is called with each entry at once */
  constructor(tell: (line: string) => void = () => undefined) {
    this.#tell = tell;
  }

  get violations(): readonly string[] {
    return this.#violations;
  }

  /** The number of entries by kind. */
  get counts(): ReadonlyMap<string, number> {
    const groups = Map.groupBy(this.#happenings, ({ what }) => what);
    return new Map([...groups].map(([what, all]) => [what, all.length]));
  }

  /** The observations that the checks recorded, one per line. */
  get findings(): readonly string[] {
    return this.#findings;
  }

  /** Milliseconds since the run began. */
  get at(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  note(what: string, detail?: object): void {
    const happening = { at: this.at, what, detail };
    this.#happenings.push(happening);
    this.#tell(lineOf(happening));
  }

  /** Records an observation of a check that is no violation. */
  find(what: string, finding: object): void {
    this.#findings.push(`${what} ${JSON.stringify(finding)}`);
    this.note(what, finding);
  }

  /** Records that a claim about the service is violated. */
  violate(claim: string, detail?: object): void {
    this.#violations.push(detail ? `${claim} ${JSON.stringify(detail)}` : claim);
    this.note(`VIOLATED: ${claim}`, detail);
  }

  /** Records a violation if the claim does not hold. */
  claim(claim: string, holds: boolean, detail?: object): void {
    if (!holds) this.violate(claim, detail);
  }

  /** The last entries, one per line. */
  tail(count: number): string {
    return this.#happenings.slice(-count).map(lineOf).join("\n");
  }

  /**
   * Prints the observations, and the whole history if a claim was violated.
   * @returns true if no claim was violated
   */
  report({ name, seed }: ReportedRun, extra: object): boolean {
    const counts = [...this.counts].map(([what, count]) => `${String(count).padStart(6)}  ${what}`);
    print(...counts, ...this.#findings);
    if (this.#violations.length === 0) {
      print("all invariants held");
      return true;
    }
    print("", this.tail(60), "");
    print(...this.#violations.slice(0, 40).map((violation) => `VIOLATED: ${violation}`));
    reportViolations(name, this.#violations);
    const file = this.#write({ name, seed }, extra);
    print(`${this.#violations.length} violations with seed ${seed}; all that happened: ${file}`);
    return false;
  }

  #write({ name, seed }: ReportedRun, extra: object): string {
    const file = path.resolve(`faults-${name}-${seed}.json`);
    const kept = { seed, violations: this.#violations, happenings: this.#happenings, ...extra };
    writeFileSync(file, JSON.stringify(kept, null, 1));
    return file;
  }
}

const print = (...lines: readonly string[]): void =>
  void process.stdout.write(`${lines.join("\n")}\n`);

const lineOf = ({ at, what, detail }: HistoryEntry): string =>
  `${String(at).padStart(7)} ms  ${what} ${detail ? JSON.stringify(detail) : ""}`;
