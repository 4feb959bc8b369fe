import type { RunStatus } from "../vocabulary.ts";

export const publicStatuses = ["scheduled", "running", "completed", "cancelled"] as const;
export type PublicStatus = (typeof publicStatuses)[number];

const shownAs: Readonly<Record<RunStatus, PublicStatus>> = {
  scheduled: "scheduled",
  running: "running",
  paused: "running",
  completed: "completed",
  cancelled: "cancelled",
  failed: "cancelled",
  missed: "cancelled",
};

/** How far a run is, in the words for everyone: why it does not take place is not theirs to know. */
export const publicStatusOf = (status: RunStatus): PublicStatus => shownAs[status];
