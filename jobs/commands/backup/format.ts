import type { LogPart } from "../../../shared/shard/log/parts.ts";

/**
 * A backup is a gzip of lines: the header, then each table as its name, its rows as COPY writes
 * them, `\\.` and its sum, then the closing line. What lacks its closing line is torn.
 */
export interface BackupHeader {
  readonly backup: "guildhall";
  readonly format: 1;
  /** Of the release that made it. */
  readonly version: string;
  readonly madeAt: string;
  /** The schema, as the migrations that were applied. */
  readonly migrations: readonly string[];
  /** Version of the queue's own schema. */
  readonly queueSchema: number;
  /** In an order in which each comes after those it refers to. */
  readonly tables: readonly BackedUpTable[];
  /** Of the event log; what earlier releases made says nothing of them. */
  readonly eventParts?: readonly Pick<LogPart, "fromId" | "untilId">[];
}

export interface BackedUpTable {
  /** With its schema, quoted where it must be. */
  readonly name: string;
  readonly columns: readonly string[];
}

/** What was written of a table. */
export interface TableSum {
  readonly rows: number;
  readonly sha256: string;
}

export interface BackupClosing {
  readonly tables: number;
  readonly rows: number;
  /** What each counter of the database had given out last. */
  readonly sequences: readonly CountedSequence[];
}

export interface CountedSequence {
  readonly name: string;
  /** As text: it may be larger than numbers are exact. */
  readonly value: string;
  readonly isUsed: boolean;
}

/** Ends the rows of a table, as COPY has it. */
export const endOfRows = "\\.";
