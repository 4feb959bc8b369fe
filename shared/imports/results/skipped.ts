/** CATALOGUE of why records and files are left out of an atlas. */
export type SkipReason =
  /** Names no facet, or the one where characters that are signed out are kept. */
  | "noFacet"
  /** Has no position, or none that is made of whole numbers. */
  | "noPosition"
  /** Stands where a region or spawner should, and is neither. */
  | "notARecord"
  | "emptyFile"
  /** A file of another format among the spawn files. */
  | "otherFormat";

/** How many were left out for each reason; a reason that nothing met is absent. */
export type SkipCounts = Readonly<Partial<Record<SkipReason, number>>>;
