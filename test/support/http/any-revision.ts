import { expect } from "vitest";

/** Any revision of a thing that counts none. */
export const anyRevision: unknown = expect.stringMatching(/^[0-9a-f]{32}$/);
