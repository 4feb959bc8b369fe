import type {
  Finding,
  Requirement,
  Requirements,
  RequirementStatus,
  Verdict,
} from "./requirement.ts";

/** The maximum number of findings shown per requirement: a faulty plugin repeats a fault thousands of times. */
const shownFindings = 3;

interface RequirementResult {
  isPassed: boolean;
  notSeen: string | undefined;
  skipped: string | undefined;
  count: number;
  readonly findings: Finding[];
}

/** Records the results of requirements. */
export interface ResultRecorder<in Id extends string> {
  /** Records a success. A finding of the same requirement overrides it, whichever comes first. */
  pass(id: Id): void;
  fail(id: Id, finding: Finding): void;
  judge(id: Id, isRight: boolean, finding: () => Finding): void;
  /** Records that the check had no result, because the game did not act in time. */
  notSeen(id: Id, why: string): void;
  /** Records that the program under test does not have this feature. */
  skip(id: Id, why: string): void;
}

export class Report<Id extends string> implements ResultRecorder<Id> {
  readonly #sentences: Readonly<globalThis.Record<Id, Requirement>>;
  readonly #records = new Map<Id, RequirementResult>();

  constructor(sentences: Requirements & Readonly<globalThis.Record<Id, Requirement>>) {
    this.#sentences = sentences;
  }

  pass(id: Id): void {
    this.#of(id).isPassed = true;
  }

  fail(id: Id, finding: Finding): void {
    const record = this.#of(id);
    record.count += 1;
    if (record.findings.length < shownFindings) record.findings.push(finding);
  }

  judge(id: Id, isRight: boolean, finding: () => Finding): void {
    if (isRight) this.pass(id);
    else this.fail(id, finding());
  }

  notSeen(id: Id, why: string): void {
    this.#of(id).notSeen = why;
  }

  skip(id: Id, why: string): void {
    this.#of(id).skipped = why;
  }

  /** Returns the results in the order of the catalog, for all checks or for the named ones. */
  verdicts(checks?: ReadonlySet<string>): Verdict[] {
    return (Object.keys(this.#sentences) as Id[])
      .filter((id) => !checks || checks.has(this.#sentences[id].check))
      .map((id) => this.#verdict(id));
  }

  #verdict(id: Id): Verdict {
    const record = this.#of(id);
    const status = statusOf(record);
    const {
      findings,
      count,
      notSeen = "nothing happened to which this requirement applies",
      skipped,
    } = record;
    const why = status === "not seen" ? notSeen : skipped;
    const hasWhy = status !== "passed" && status !== "failed" && why !== undefined;
    return { id, ...this.#sentences[id], status, ...(hasWhy && { why }), findings, count };
  }

  #of(id: Id): RequirementResult {
    const known = this.#records.get(id);
    if (known) return known;
    const record = {
      isPassed: false,
      notSeen: undefined,
      skipped: undefined,
      count: 0,
      findings: [],
    };
    this.#records.set(id, record);
    return record;
  }
}

function statusOf({ count, isPassed, skipped }: RequirementResult): RequirementStatus {
  if (count > 0) return "failed";
  if (isPassed) return "passed";
  return skipped === undefined ? "not seen" : "does not apply";
}
