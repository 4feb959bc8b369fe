import type { Route } from "../http/route.ts";
import { accountRoutes } from "./account.routes.ts";

const currentPrefix = "/api/v1/auth/me/account";

type RouteTerms = Pick<Route, "gate" | "set">;

/** Copies a route to the path that older web clients use. */
const legacyRoute = (route: Route, prefix: `/${string}`, terms: RouteTerms): Route => ({
  ...route,
  ...terms,
  path: `${prefix}${route.path.slice(currentPrefix.length)}`,
  summary: `${route.summary} (legacy path)`,
  successor: route.path,
});

/**
 * Returns the gate and the route set of a copied route. Only `GET /identities` requires an administrator and
 * belongs to the frozen set `core`.
 */
const legacyAdminTerms = ({ path, method }: Route): RouteTerms =>
  path === `${currentPrefix}/identities` && method === "get"
    ? { gate: "roles:admin", set: "core" }
    : { gate: "staff", set: "additive" };

export const legacyAccountRoutes = [
  ...accountRoutes.map((route) =>
    legacyRoute(route, "/api/v1/player/account", { gate: "auth", set: "core" }),
  ),
  ...accountRoutes.map((route) =>
    legacyRoute(route, "/api/v1/admin/account", legacyAdminTerms(route)),
  ),
];
