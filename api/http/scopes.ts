import type { Route, RouteTag } from "./route.ts";

/**
 * CATALOGUE of the names that the chapters of the API description have in token scopes. Null for chapters whose
 * routes no token can call: personal data and administration.
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
} as const satisfies Readonly<Record<RouteTag, string | null>>;

type Name = NonNullable<(typeof names)[RouteTag]>;

/** A permission of a token: to call the reading or the writing routes of a chapter of the API description. */
export type TokenScope = `${Name}:${"read" | "write"}`;

export const scopes: readonly TokenScope[] = Object.values(names)
  .filter((name) => name !== null)
  .flatMap((name) => [`${name}:read`, `${name}:write`] as const);

/**
 * Returns the scope that a token needs for a route; null if no token can call it. A token is not a user, so it
 * cannot call routes about the caller's own data. It has no password or second factor, so it cannot confirm a
 * request.
 */
export function scopeOf({ tag, gate, method, confirms }: Route): TokenScope | null {
  const name = names[tag];
  if (name === null || closedGates.includes(gate) || confirms) return null;
  return `${name}:${method === "get" ? "read" : "write"}`;
}

/** Gates that no token passes: no token has the administrator role or is a session, challenge or refresh token. */
const closedGates: readonly Route["gate"][] = [
  "auth",
  "challenge",
  "plugin",
  "refresh",
  "reportKey",
  "roles:admin",
];
