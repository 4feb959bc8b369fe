import type { Route } from "../http/route.ts";

const current = "/api/v1/player/shard";

/** Adds the same routes under the paths of older web clients, for players too. */
export const alsoUnderAdmin = (routes: readonly Route[]): Route[] =>
  routes.flatMap((route) => [
    route,
    { ...route, path: `/api/v1/admin/shard${route.path.slice(current.length)}` },
  ]);
