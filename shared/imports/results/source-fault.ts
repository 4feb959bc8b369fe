import type { ImportResultCode } from "./codes.ts";

/**
 * The error for a source that cannot be imported. The operator gets its code and reason; the API never sends 500.
 */
export class SourceFault extends Error {
  readonly code: ImportResultCode;

  constructor(code: ImportResultCode, reason: string) {
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
