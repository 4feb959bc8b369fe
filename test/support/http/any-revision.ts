import { expect } from "vitest";

/** Matches a revision that is a hash. Resources without a revision counter use hashes. */
export const anyRevision: unknown = expect.stringMatching(/^[0-9a-f]{32}$/);
