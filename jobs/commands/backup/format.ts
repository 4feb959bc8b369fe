import type { EventPartition } from "../../../shared/shard/event-partitions/partitions.ts";

/**
 * A backup is a gzip of lines: the header, the tables, the closing line. Each table is its name, its
 * rows as COPY writes them, `\\.` and its sum. A file without the closing line is incomplete.
 */
export interface BackupHeader {
  readonly backup: "guildhall";
  readonly format: 1;
  readonly version: string;
  readonly madeAt: string;
  /** The applied migrations, which define the schema. */
  readonly migrations: readonly string[];
  readonly queueSchema: number;
  /** Each table comes after those that it references. */
  readonly tables: readonly BackedUpTable[];
  /** Partitions of the event log. Absent in backups of earlier releases. */
  readonly eventParts?: readonly Pick<EventPartition, "fromId" | "untilId">[];
}

export interface BackedUpTable {
  /** With its schema, quoted if necessary. */
  readonly name: string;
  readonly columns: readonly string[];
}

export interface TableSum {
  readonly rows: number;
  readonly sha256: string;
}

export interface BackupClosing {
  readonly tables: number;
  readonly rows: number;
  readonly sequences: readonly SequenceValue[];
}

export interface SequenceValue {
  readonly name: string;
  /** As text, because it may exceed the exact integers of JavaScript. */
  readonly value: string;
  readonly isUsed: boolean;
}

export const endOfRows = "\\.";
