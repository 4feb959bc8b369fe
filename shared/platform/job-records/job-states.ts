/** The states of a job, pg-boss's own words. */
export const jobStates = [
  "created",
  "retry",
  "active",
  "completed",
  "cancelled",
  "failed",
] as const;
export type JobState = (typeof jobStates)[number];
