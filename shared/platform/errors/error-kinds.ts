/** The ways a request can be refused; `api/http/errors.ts` alone knows their numbers. */
export type ErrorKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "missing"
  | "wrongMethod"
  | "tooSlow"
  | "unmet"
  | "conflict"
  | "tooLarge"
  | "wrongType"
  | "wrongRange"
  | "wrongExpectation"
  | "limited"
  | "headTooLarge"
  | "internal"
  | "upstream"
  | "unavailable";

export interface CodeSpec {
  readonly kind: ErrorKind;
  /** One sentence for those who build clients. */
  readonly meaning: string;
}
