import type { ImportCode } from "./codes.ts";

/** A source cannot be imported. The operator gets its code and reason; it is never a 500. */
export class SourceFault extends Error {
  readonly code: ImportCode;

  constructor(code: ImportCode, reason: string) {
    super(reason);
    this.name = "SourceFault";
    this.code = code;
  }
}

/** Runs `work` and returns a SourceFault instead of throwing it. @throws every other error */
export async function catchSourceFault<T>(work: () => Promise<T>): Promise<T | SourceFault> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceFault) return error;
    throw error;
  }
}
