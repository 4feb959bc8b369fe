import type { ErrorKind } from "./error-kinds.ts";

export interface CodeSpec {
  readonly kind: ErrorKind;
  /** One sentence for those who build clients. */
  readonly meaning: string;
}
