/** The kinds of refusals. Only `api/http/errors.ts` maps them to HTTP status codes. */
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

export interface ErrorCodeSpec {
  readonly kind: ErrorKind;
  /** One sentence for developers of clients. */
  readonly meaning: string;
}
