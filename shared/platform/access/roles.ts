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

/**
 * Whether a user of a table `users` reaches what is open from a rung upwards, as SQL: what `rungOf` says
 * of their session. Null is open to nobody.
 * @param rung the SQL of it
 */
export const userReaches = (rung: string): string => `(
  ${rung} in ('anonymous', 'logged_in')
  or (users.role = 'admin' and ${rung} is not null)
  or (${rung} in ('player', 'staff') and users.role <> 'player')
  or (${rung} = 'player' and exists (select from shard_links where user_id = users.id)))`;
