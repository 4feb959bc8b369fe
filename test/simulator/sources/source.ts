import { createHash } from "node:crypto";

/** A source read in pages; its rows change only as a whole. */
export interface PagedSource<Row> {
  readonly rows: readonly Row[];
  /** Identifies the content; it changes exactly when the source does. */
  readonly fingerprint: () => string;
  /** Replaces the source; the rows may stay the same. */
  readonly change: () => void;
}

export const sha256 = (content: string | Buffer): string =>
  createHash("sha256").update(content).digest("hex");

/** Creates a source whose rows are built at first use and after each change. */
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
