import { createHash } from "node:crypto";

/** What is read by pages: rows that stay as they are until the source becomes another. */
export interface PagedSource<Row> {
  readonly rows: readonly Row[];
  /** Stands for the content: it changes when the source does, and only then. */
  readonly fingerprint: () => string;
  /** Makes another of it: new rows may come, none need to. */
  readonly change: () => void;
}

export const sha256 = (content: string | Buffer): string =>
  createHash("sha256").update(content).digest("hex");

/** A source whose rows are made when they are first asked for, and again after a change. */
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
