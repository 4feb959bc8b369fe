import type { Role } from "../../../models/auth/user.ts";

const listed = { admin: true, editor: true, moderator: true, player: true } as const;

/** Every role there is. */
export const roles = Object.keys(listed satisfies Readonly<Record<Role, true>>) as readonly Role[];

/** The audience ladder, lowest first: each rung implies those below. */
export const ladder = ["anonymous", "logged_in", "player", "staff", "admin"] as const;
export type Rung = (typeof ladder)[number];

export const isStaff = (role: Role): boolean => role !== "player";

/** Whether a caller on `rung` reaches what is open from `audience` upwards. */
export const reaches = (rung: Rung, audience: Rung): boolean =>
  ladder.indexOf(rung) >= ladder.indexOf(audience);

/** A session's rung: staff by role, `player` with at least one linked game account. */
export function rungOf(role: Role, hasLink: boolean): Rung {
  if (role === "admin") return "admin";
  if (isStaff(role)) return "staff";
  return hasLink ? "player" : "logged_in";
}

/** Whether a change of role takes rights away; only then do sessions end. */
export const isDemotion = (before: Role, after: Role): boolean =>
  before !== after && before !== "player" && after !== "admin";
