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
