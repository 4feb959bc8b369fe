import type { Role } from "../../../models/auth/user.ts";

const listed = { admin: true, editor: true, moderator: true, player: true } as const;

export const roles = Object.keys(listed satisfies Readonly<Record<Role, true>>) as readonly Role[];

/** The audience ladder, lowest first: each rung implies those below. */
export const audienceLadder = ["anonymous", "logged_in", "player", "staff", "admin"] as const;
export type Rung = (typeof audienceLadder)[number];

export const isStaff = (role: Role): boolean => role !== "player";

/** Returns true if a caller on `rung` may use content that is open to `audience` and above. */
export const isInAudience = (rung: Rung, audience: Rung): boolean =>
  audienceLadder.indexOf(rung) >= audienceLadder.indexOf(audience);

/** Returns the rung of a session. A user with at least one linked game account is a `player`. */
export function rungOf(role: Role, hasLink: boolean): Rung {
  if (role === "admin") return "admin";
  if (isStaff(role)) return "staff";
  return hasLink ? "player" : "logged_in";
}

/** Returns true if a change of role removes rights. Sessions end only then. */
export const isDemotion = (before: Role, after: Role): boolean =>
  before !== after && before !== "player" && after !== "admin";

/**
 * Returns SQL that is true if a row of `users` reaches a rung, by the same rule as `rungOf`. A null
 * rung is open to nobody.
 * @param rung an SQL expression
 */
export const isUserInAudienceSql = (rung: string): string => `(
  ${rung} in ('anonymous', 'logged_in')
  or (users.role = 'admin' and ${rung} is not null)
  or (${rung} in ('player', 'staff') and users.role <> 'player')
  or (${rung} = 'player' and exists (select from shard_links where user_id = users.id)))`;
