import type { Route } from "../http/route.ts";

const current = "/api/v1/player/shard";

/** The same routes where older web clients look for them, for players too. */
export const alsoUnderAdmin = (routes: readonly Route[]): Route[] =>
  routes.flatMap((route) => [
    route,
    { ...route, path: `/api/v1/admin/shard${route.path.slice(current.length)}` },
  ]);
