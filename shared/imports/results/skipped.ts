/** CATALOGUE of why records and files are left out of an atlas. */
export type SkipReason =
  /** Names no facet, or the one where characters that are signed out are kept. */
  | "noFacet"
  /** Has no position, or none that is made of whole numbers. */
  | "noPosition"
  /** Is a spawner whose position is outside the map of its facet. */
  | "outsideMap"
  /** Stands where a region or spawner should, and is neither. */
  | "notARecord"
  | "emptyFile"
  /** A file of another format among the spawn files. */
  | "otherFormat";

/** How many were left out for each reason; a reason that nothing met is absent. */
export type SkipCounts = Readonly<Partial<Record<SkipReason, number>>>;

/** A record that was left out. */
export interface SkippedRecord {
  readonly reason: SkipReason;
  /** The file and the record, as an operator finds them. */
  readonly text: string;
}

/** Records that are named for one reason. */
export const mostExamples = 5;

/** The first records that were left out for a reason, for those reasons whose records are named. */
export type SkipExamples = Readonly<Partial<Record<SkipReason, readonly string[]>>>;
