import type { Route } from "./route.ts";

const byPath = (one: string, other: string): number => (one < other ? -1 : 1);

/** `METHOD path`, one line a route of the set: the frozen list of what is served. */
export const routeLines = (routes: readonly Route[], set: Route["set"]): string[] =>
  routes
    .filter((route) => route.set === set && route.gate !== "internal")
    .map((route) => `${route.path} ${route.method.toUpperCase()}`)
    .toSorted(byPath);

/** `METHOD path gate`, one line a route of the set: the frozen list of who may. */
export const guardLines = (routes: readonly Route[], set: Route["set"]): string[] =>
  routes
    .filter((route) => route.set === set && route.gate !== "internal")
    .map((route) => `${route.path} ${route.method.toUpperCase()} ${route.gate}`)
    .toSorted(byPath);
