import type { Route, Tag } from "./route.ts";

/**
 * CATALOGUE of chapters by what scopes of tokens call them; null where no token opens anything: what
 * is one's own, and what is for administrators alone.
 */
const names = {
  Site: "site",
  Appeals: "appeals",
  Shard: "shard",
  "Shard staff": "shard-staff",
  Content: "content",
  Events: "events",
  Survival: "survival",
  "Survival staff": "survival-staff",
  Auth: null,
  Account: null,
  Mobile: null,
  Users: null,
  "Shard player": null,
  Imports: null,
  Plugins: null,
  Webhooks: null,
  Operations: null,
} as const satisfies Readonly<Record<Tag, string | null>>;

type Name = NonNullable<(typeof names)[Tag]>;

/** What a token may be given: to read a chapter of the description, or to write it. */
export type Scope = `${Name}:${"read" | "write"}`;

export const scopes: readonly Scope[] = Object.values(names)
  .filter((name) => name !== null)
  .flatMap((name) => [`${name}:read`, `${name}:write`] as const);

/**
 * The scope that opens a route to a token. A token is nobody, so that no route about the caller's own
 * things takes one. It has no password and no second factor, so that no route that its caller
 * confirms takes one.
 * @returns null for a route that no token opens
 */
export function scopeOf({ tag, gate, method, confirms }: Route): Scope | null {
  const name = names[tag];
  if (name === null || closedGates.includes(gate) || confirms) return null;
  return `${name}:${method === "get" ? "read" : "write"}`;
}

/** No token has the role of an administrator, and none is a session, a challenge or a refresh. */
const closedGates: readonly Route["gate"][] = [
  "auth",
  "challenge",
  "plugin",
  "refresh",
  "roles:admin",
];
