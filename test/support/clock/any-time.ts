import { expect } from "vitest";

/** Any moment, in the form in which every answer tells one. */
export const anyTime: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
