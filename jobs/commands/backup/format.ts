import type { EventPartition } from "../../../shared/shard/event-partitions/partitions.ts";

/**
 * A backup is a gzip file of lines: the header, the tables and the closing line. Each table is its name, its
 * rows as COPY writes them, `\\.`, and a line with the number and hash of the rows. A file without the closing
 * line is incomplete.
 */
export interface BackupHeader {
  readonly backup: "guildhall";
  readonly format: 1;
  readonly version: string;
  readonly madeAt: string;
  /** The applied migrations, which define the schema. */
  readonly migrations: readonly string[];
  readonly queueSchema: number;
  /** The tables. Each table follows those that it references. */
  readonly tables: readonly BackupTable[];
  /** The partitions of the event log. Backups of earlier releases do not have this field. */
  readonly eventParts?: readonly Pick<EventPartition, "fromId" | "untilId">[];
}

export interface BackupTable {
  /** The name of the table with its schema, quoted if necessary. */
  readonly name: string;
  readonly columns: readonly string[];
}

export interface TableChecksum {
  readonly rows: number;
  readonly sha256: string;
}

export interface BackupTrailer {
  readonly tables: number;
  readonly rows: number;
  readonly sequences: readonly SequenceValue[];
}

export interface SequenceValue {
  readonly name: string;
  /** The value as text, because it may exceed the exact integers of JavaScript. */
  readonly value: string;
  readonly isUsed: boolean;
}

export const endOfRows = "\\.";
