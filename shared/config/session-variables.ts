import { smallCount, span } from "./limit.ts";
import { duration } from "./values.ts";
import { atLeast, variable } from "./variable.ts";

/** How long what somebody signed in by lives, and how often they may try to prove it. */
export const sessionVariables = {
  SESSION_TTL: variable(duration("7d"), "life of a player's web session", atLeast("10m")),
  STAFF_SESSION_TTL: variable(
    duration("12h"),
    "life of a web session of staff, from the sign-in or, where that is later, from becoming staff",
    atLeast("10m"),
  ),
  ACCESS_TTL: variable(duration("15m"), "life of a mobile access token", atLeast("1m")),
  REFRESH_TTL: variable(
    duration("30d", { least: "1s" }),
    "life of a refresh token that is not used",
    atLeast("1h"),
  ),
  REFRESH_FAMILY_TTL: variable(
    duration("180d", { least: "1s" }),
    "life of a device's session, however often it is refreshed",
    atLeast("1h"),
  ),
  REFRESH_GRACE: variable(
    duration("10s"),
    "how long after its use a refresh token sent again counts as a lost answer and gets the same " +
      "successor, while that is not used; later it counts as theft",
  ),
  REAUTH_AFTER: variable(
    duration("10m", { least: "1s" }),
    "age of a sign-in from which requests that make, change or show credentials ask for the " +
      "password or a code",
    atLeast("1m"),
  ),
  CHALLENGE_TTL: variable(
    duration("5m"),
    "time to enter the second factor after the password",
    atLeast("1m"),
  ),
  CHALLENGE_TRIES: smallCount(5, "codes one may try before the password is asked again"),
  TOTP_SETUP_TTL: variable(
    duration("10m", { least: "1s" }),
    "time to enter the first code of a new second factor",
    atLeast("1m"),
  ),
  TOTP_LOCK_AFTER: smallCount(10, "wrong codes of one user in a row that lock their second factor"),
  TOTP_LOCK: span(
    "15m",
    "how long a second factor is locked; it doubles with as many failures more, up to " +
      "TOTP_LOCK_LONGEST",
  ),
  TOTP_LOCK_LONGEST: span("1d", "the longest lock of a second factor"),
  TRUST_DEVICE_TTL: variable(
    duration("30d"),
    "how long a trusted device skips the second factor",
    atLeast("1h"),
  ),
  TRUST_DEVICE_MAX: smallCount(10, "devices one user may trust; a further one is refused"),
} as const;
