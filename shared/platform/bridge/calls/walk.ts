import { type BridgeCode, BridgeError } from "../bridge-error.ts";

export interface PagedReadPlan<Manifest, Rows> {
  readonly manifest: () => Promise<Manifest>;
  readonly stateOf: (manifest: Manifest) => SourceState;
  readonly page: (cursor: string | null) => Promise<SourcePage<Rows>>;
  /** Receives the rows of a page. Do not apply them before the read of the whole source has succeeded. */
  readonly take: (rows: Rows) => Promise<void> | void;
}

export type PagedReadResult<Manifest> =
  | (WalkTally<Manifest> & { readonly ok: true; readonly manifest: Manifest })
  | (WalkTally<Manifest> & {
      readonly ok: false;
      readonly code: PagedReadCode;
      readonly reason: string;
    });

/**
 * Reads a whole source page by page, and its manifest before and after. Succeeds only if the source stays
 * unchanged and all records of the manifest arrive. Throws errors that do not come from the sidecar.
 */
export async function readSourcePages<Manifest, Rows>(
  plan: PagedReadPlan<Manifest, Rows>,
): Promise<PagedReadResult<Manifest>> {
  const progress = new WalkProgress<Manifest>();
  try {
    const manifest = await plan.manifest();
    progress.begin(manifest, plan.stateOf(manifest));
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page: SourcePage<Rows> = await plan.page(cursor);
      progress.add(page);
      await plan.take(page.rows);
      cursor = page.next;
    }
    progress.end(plan.stateOf(await plan.manifest()));
    return { ok: true, ...progress.tally, manifest };
  } catch (error) {
    return { ok: false, ...toFailure(error), ...progress.tally };
  }
}

/** CATALOGUE of the error codes of a read, by the code of the refusal. Any other refusal means malformed data. */
const walkCodes: Readonly<Partial<Record<BridgeCode, PagedReadCode>>> = {
  BUSY: "BUSY",
  LIMIT: "BUSY",
  TOO_LARGE: "TOO_LARGE",
  SHARD_DOWN: "SHARD_DOWN",
  UNAVAILABLE: "UNAVAILABLE",
  PROTOCOL: "PROTOCOL",
  UNAUTHORIZED: "PROTOCOL",
  DISABLED: "DISABLED",
  NO_SOURCE: "NO_SOURCE",
  NO_IMAGING: "NO_IMAGING",
  UNSUPPORTED: "UNSUPPORTED",
};

export const pagedReadCodeOf = (code: BridgeCode): PagedReadCode => walkCodes[code] ?? "MALFORMED";

function toFailure(error: unknown): { code: PagedReadCode; reason: string } {
  if (error instanceof WalkError) return { code: error.code, reason: error.message };
  if (!(error instanceof BridgeError)) throw error;
  return { code: pagedReadCodeOf(error.code), reason: error.reason };
}

export interface SourceState {
  /** Hash of the whole source; null while the game computes it. */
  readonly hash: string | null;
  readonly hashing: boolean;
  readonly complete: boolean;
  /** Number of records by family of data. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface SourcePage<Rows> {
  readonly hash: string;
  readonly rows: Rows;
  readonly counts: Readonly<Record<string, number>>;
  /** Key of the last record. A page with the same key as the previous page contains no new records. */
  readonly last: string | null;
  /** Cursor of the next page; null on the last page. */
  readonly next: string | null;
}

export type PagedReadCode =
  | "BUSY"
  | "SOURCE_CHANGED"
  | "STUCK"
  | "INCOMPLETE"
  | "MALFORMED"
  | "TOO_LARGE"
  | "SHARD_DOWN"
  | "UNAVAILABLE"
  | "PROTOCOL"
  | "DISABLED"
  | "NO_SOURCE"
  | "NO_IMAGING"
  | "UNSUPPORTED";

interface WalkTally<Manifest> {
  /** The manifest as read before the first page. */
  readonly manifest: Manifest | null;
  readonly records: number;
  readonly pages: number;
}

/** Maximum number of records. If the manifest names more, the source is refused at once. */
const maxRecords = 2_000_000;

/** Number of consecutive pages without new records after which the read fails. */
const maxIdlePages = 3;

class WalkError extends Error {
  readonly code: PagedReadCode;

  constructor(code: PagedReadCode, reason: string) {
    super(reason);
    this.code = code;
  }
}

class WalkProgress<Manifest> {
  readonly #cursors = new Set<string>();
  readonly #counts: Record<string, number> = {};
  #manifest: Manifest | null = null;
  #state: SourceState | undefined;
  #records = 0;
  #pages = 0;
  #idlePages = 0;
  #last: string | null = null;

  get tally(): WalkTally<Manifest> {
    return { manifest: this.#manifest, records: this.#records, pages: this.#pages };
  }

  begin(manifest: Manifest, state: SourceState): void {
    this.#manifest = manifest;
    this.#state = state;
    checkState(state);
    const expectedRecords = sum(state.counts);
    if (expectedRecords > maxRecords) {
      throw new WalkError("TOO_LARGE", `${expectedRecords} records`);
    }
  }

  add({ hash, counts, last, next }: SourcePage<unknown>): void {
    if (hash !== this.#state?.hash) throw sourceChangedError();
    this.#pages += 1;
    this.#records += sum(counts);
    for (const [family, count] of Object.entries(counts)) {
      this.#counts[family] = (this.#counts[family] ?? 0) + count;
    }
    this.#checkMotion(sum(counts), last, next);
    // Check after every page: otherwise an endless source would be read forever.
    if (this.#records > sum(this.#state.counts)) throw this.#incomplete();
  }

  end(state: SourceState): void {
    checkState(state);
    if (state.hash !== this.#state?.hash) throw sourceChangedError();
    for (const { counts } of [this.#state, state]) {
      if (!areEqual(counts, this.#counts)) throw this.#incomplete();
    }
  }

  #checkMotion(count: number, last: string | null, next: string | null): void {
    const isIdle = count === 0 || (last !== null && last === this.#last);
    this.#idlePages = isIdle ? this.#idlePages + 1 : 0;
    this.#last = last ?? this.#last;
    if (this.#idlePages >= maxIdlePages) {
      throw new WalkError("STUCK", `${maxIdlePages} pages in a row contained no new record`);
    }
    if (next === null) return;
    if (this.#cursors.has(next)) {
      throw new WalkError("STUCK", "the source sent the same cursor twice");
    }
    this.#cursors.add(next);
  }

  #incomplete(): WalkError {
    const expectedRecords = describe(this.#state?.counts ?? {});
    return new WalkError("INCOMPLETE", `received ${describe(this.#counts)} of ${expectedRecords}`);
  }
}

const sourceChangedError = (): WalkError =>
  new WalkError("SOURCE_CHANGED", "the source changed while it was read");

function checkState({ hash, hashing, complete }: SourceState): void {
  if (hashing) throw new WalkError("BUSY", "the source is being hashed");
  if (!complete || hash === null) throw new WalkError("INCOMPLETE", "the source is not complete");
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

function areEqual(one: SourceState["counts"], other: SourceState["counts"]): boolean {
  const families = [...Object.keys(one), ...Object.keys(other)];
  return families.every((family) => (one[family] ?? 0) === (other[family] ?? 0));
}

const describe = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([family, count]) => `${count} ${family}`)
    .join(", ");
