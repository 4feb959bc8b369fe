import { expect } from "vitest";

/** Matches a timestamp in the format of the API. */
export const anyTime: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
