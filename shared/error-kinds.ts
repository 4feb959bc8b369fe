/** The ways a request can be refused; `api/http/errors.ts` alone knows their numbers. */
export type ErrorKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "missing"
  | "wrongMethod"
  | "unmet"
  | "conflict"
  | "tooLarge"
  | "wrongType"
  | "wrongRange"
  | "limited"
  | "internal"
  | "upstream"
  | "unavailable";
