import { durationSchema } from "./values.ts";
import { smallCountVariable, windowVariable, requireAtLeast, defineVariable } from "./variable.ts";

export const sessionVariables = {
  SESSION_TTL: defineVariable(
    durationSchema("7d"),
    "lifetime of a web session of a user who is not staff",
    requireAtLeast("10m"),
  ),
  STAFF_SESSION_TTL: defineVariable(
    durationSchema("12h"),
    "lifetime of a web session of staff, counted from the sign-in or from becoming staff, " +
      "whichever is later",
    requireAtLeast("10m"),
  ),
  ACCESS_TTL: defineVariable(
    durationSchema("15m"),
    "lifetime of an access token of a mobile app",
    requireAtLeast("1m"),
  ),
  REFRESH_TTL: defineVariable(
    durationSchema("30d", { least: "1s" }),
    "lifetime of a refresh token of a mobile app, if the app does not use it",
    requireAtLeast("1h"),
  ),
  REFRESH_FAMILY_TTL: defineVariable(
    durationSchema("180d", { least: "1s" }),
    "lifetime of a device session (a sign-in in a mobile app), counted from the sign-in; " +
      "refreshes do not extend it",
    requireAtLeast("1h"),
  ),
  REFRESH_GRACE: defineVariable(
    durationSchema("10s"),
    "how long a refresh token can be used again after its first use: it returns the same new " +
      "refresh token as long as that one is unused; a later use counts as theft",
  ),
  REAUTH_AFTER: defineVariable(
    durationSchema("10m", { least: "1s" }),
    "age of a sign-in from which requests that create, change or show credentials also require " +
      "the password or a code of the second factor",
    requireAtLeast("1m"),
  ),
  CHALLENGE_TTL: defineVariable(
    durationSchema("5m"),
    "time after the password within which the second factor must be entered",
    requireAtLeast("1m"),
  ),
  CHALLENGE_TRIES: smallCountVariable(
    5,
    "number of codes of the second factor that a user may try before the password must be " +
      "entered again",
  ),
  TOTP_SETUP_TTL: defineVariable(
    durationSchema("10m", { least: "1s" }),
    "time within which a user who sets up a second factor must enter its first code",
    requireAtLeast("1m"),
  ),
  TOTP_LOCK_AFTER: smallCountVariable(
    10,
    "number of wrong codes in a row after which a user's second factor is locked",
  ),
  TOTP_LOCK: windowVariable(
    "15m",
    "how long a second factor is locked the first time; each further TOTP_LOCK_AFTER wrong codes " +
      "double the time, up to TOTP_LOCK_LONGEST",
  ),
  TOTP_LOCK_LONGEST: windowVariable("1d", "longest time for which a second factor is locked"),
  TRUST_DEVICE_TTL: defineVariable(
    durationSchema("30d"),
    "how long a trusted device skips the second factor",
    requireAtLeast("1h"),
  ),
  TRUST_DEVICE_MAX: smallCountVariable(
    10,
    "largest number of devices that one user may trust; a request to trust one more is refused",
  ),
} as const;
