import type { CodeNames } from "../calls/link-source.ts";

/** What a walk's codes that the contract of clilocs does not print are called. */
export const codeNames: CodeNames = { NO_IMAGING: "NO_SOURCE", UNSUPPORTED: "NO_SOURCE" };
