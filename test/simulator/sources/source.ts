import { createHash } from "node:crypto";

/** A source that is read page by page. Its rows change all at once. */
export interface PagedSource<Row> {
  readonly rows: readonly Row[];
  /** Returns a text that changes whenever the source changes, and only then. */
  readonly fingerprint: () => string;
  /** Changes the source. The rows may stay the same. */
  readonly change: () => void;
}

export const sha256 = (content: string | Buffer): string =>
  createHash("sha256").update(content).digest("hex");

/** Creates a source. Its rows are built when they are first read, and again after each change. */
export function pagedSource<Row>(
  label: string,
  make: (version: number) => readonly Row[],
): PagedSource<Row> {
  let version = 0;
  let rows: readonly Row[] | undefined;
  return {
    get rows() {
      rows ??= make(version);
      return rows;
    },
    fingerprint: () => sha256(`${label} ${version}`),
    change: () => {
      version++;
      rows = undefined;
    },
  };
}
