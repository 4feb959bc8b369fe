/** The bridge tells times in epoch milliseconds, the API in ISO 8601; null for never. */
export const isoTime = (ms: unknown): string | null =>
  typeof ms === "number" && Math.abs(ms) <= lastInstant ? new Date(ms).toISOString() : null;

/** The last instant a JavaScript date can hold. */
export const lastInstant = 8.64e15;
