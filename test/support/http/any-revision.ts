import { expect } from "vitest";

/**
 * Matches a revision that is a hash. Resources without a counter of revisions have such a revision.
 */
export const anyRevision: unknown = expect.stringMatching(/^[0-9a-f]{32}$/);
