import type { Route } from "../http/route.ts";
import { accountRoutes } from "./account.routes.ts";

const current = "/api/v1/auth/me/account";

type Terms = Pick<Route, "gate" | "set">;

/** Copies a route to the path of older web clients. */
const mirror = (route: Route, prefix: `/${string}`, terms: Terms): Route => ({
  ...route,
  ...terms,
  path: `${prefix}${route.path.slice(current.length)}`,
  summary: `${route.summary} (legacy path)`,
  successor: route.path,
});

/** Only the legacy list of identities is a core route for administrators. */
const adminTerms = ({ path, method }: Route): Terms =>
  path === `${current}/identities` && method === "get"
    ? { gate: "roles:admin", set: "core" }
    : { gate: "staff", set: "additive" };

export const legacyAccountRoutes = [
  ...accountRoutes.map((route) =>
    mirror(route, "/api/v1/player/account", { gate: "auth", set: "core" }),
  ),
  ...accountRoutes.map((route) => mirror(route, "/api/v1/admin/account", adminTerms(route))),
];
