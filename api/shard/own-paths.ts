import type { Route } from "../http/route.ts";

const current = "/api/v1/player/shard";

/**
 * Adds copies of the routes under the admin paths that older web clients use. Players may call the copies too.
 */
export const addAdminAliases = (routes: readonly Route[]): Route[] =>
  routes.flatMap((route) => [
    route,
    { ...route, path: `/api/v1/admin/shard${route.path.slice(current.length)}` },
  ]);
