import { expect } from "vitest";

/** Matches any revision of a resource without a revision counter. */
export const anyRevision: unknown = expect.stringMatching(/^[0-9a-f]{32}$/);
