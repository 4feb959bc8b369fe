import { smallCount, span } from "./limit.ts";
import { duration } from "./values.ts";
import { atLeast, variable } from "./variable.ts";

/** How long what somebody signed in by lives, and how often they may try to prove it. */
export const sessionVariables = {
  SESSION_TTL: variable(
    duration("7d"),
    "lifetime of a web session of a user who is not staff",
    atLeast("10m"),
  ),
  STAFF_SESSION_TTL: variable(
    duration("12h"),
    "lifetime of a web session of staff, counted from the sign-in or from becoming staff, " +
      "whichever is later",
    atLeast("10m"),
  ),
  ACCESS_TTL: variable(duration("15m"), "lifetime of a mobile access token", atLeast("1m")),
  REFRESH_TTL: variable(
    duration("30d", { least: "1s" }),
    "lifetime of an unused refresh token",
    atLeast("1h"),
  ),
  REFRESH_FAMILY_TTL: variable(
    duration("180d", { least: "1s" }),
    "lifetime of a device session, counted from its sign-in; refreshes do not extend it",
    atLeast("1h"),
  ),
  REFRESH_GRACE: variable(
    duration("10s"),
    "how long after its first use a refresh token returns the same successor again, as long as " +
      "the successor is unused; a use after that time counts as theft",
  ),
  REAUTH_AFTER: variable(
    duration("10m", { least: "1s" }),
    "age of a sign-in from which requests that create, change or show credentials require the " +
      "password or a code",
    atLeast("1m"),
  ),
  CHALLENGE_TTL: variable(
    duration("5m"),
    "time in which the second factor must be entered after the password",
    atLeast("1m"),
  ),
  CHALLENGE_TRIES: smallCount(
    5,
    "codes that a user may try before the password must be entered again",
  ),
  TOTP_SETUP_TTL: variable(
    duration("10m", { least: "1s" }),
    "time in which the first code of a new second factor must be entered",
    atLeast("1m"),
  ),
  TOTP_LOCK_AFTER: smallCount(
    10,
    "number of wrong codes in a row after which a user's second factor is locked",
  ),
  TOTP_LOCK: span(
    "15m",
    "length of the first lock of a second factor; each further TOTP_LOCK_AFTER wrong codes " +
      "double it, up to TOTP_LOCK_LONGEST",
  ),
  TOTP_LOCK_LONGEST: span("1d", "longest lock of a second factor"),
  TRUST_DEVICE_TTL: variable(
    duration("30d"),
    "how long a trusted device skips the second factor",
    atLeast("1h"),
  ),
  TRUST_DEVICE_MAX: smallCount(
    10,
    "devices that one user may trust; a request to trust another one is refused",
  ),
} as const;
