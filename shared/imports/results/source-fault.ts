import type { ImportCode } from "./codes.ts";

/** Why a source cannot be imported: an operator's matter, told with its code and never a 500. */
export class SourceFault extends Error {
  readonly code: ImportCode;

  constructor(code: ImportCode, reason: string) {
    super(reason);
    this.name = "SourceFault";
    this.code = code;
  }
}

/** Runs `work`; a fault of the source becomes its value. @throws every other error */
export async function orFault<T>(work: () => Promise<T>): Promise<T | SourceFault> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceFault) return error;
    throw error;
  }
}
