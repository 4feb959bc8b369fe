import { fieldOf } from "./based-on.ts";
import type { Route } from "./route.ts";

const listed = (routes: readonly Route[], set: Route["set"]): Route[] =>
  routes
    .filter((route) => route.set === set)
    .toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));

const sortKey = ({ path, method }: Route): string => `${path} ${method}`;

/** `METHOD path`, one line a route of the set: the frozen list of what is served. */
export const routeLines = (routes: readonly Route[], set: Route["set"]): string[] =>
  listed(routes, set).map(({ method, path }) => `${method.toUpperCase()} ${path}`);

/** `METHOD path gate`, one line a route of the set: the frozen list of who may. */
export const guardLines = (routes: readonly Route[], set: Route["set"]): string[] =>
  listed(routes, set).map(({ method, path, gate }) => `${method.toUpperCase()} ${path} ${gate}`);

/** `METHOD path confirms`, one line a route that its caller confirms: the frozen list of those that do. */
export const confirmingLines = (routes: readonly Route[]): string[] =>
  routes
    .filter(({ confirms }) => confirms !== undefined)
    .toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
    .map(({ method, path, confirms }) => {
      const when = confirms === true ? "unless-recent" : "always";
      return `${method.toUpperCase()} ${path} ${when}`;
    });

/** `METHOD path when field`, one line a route that asks what its caller has read. */
export const basedOnLines = (routes: readonly Route[]): string[] =>
  routes
    .toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
    .flatMap(({ method, path, basedOn }) =>
      basedOn ? [`${method.toUpperCase()} ${path} ${basedOn.when} ${fieldOf(basedOn)}`] : [],
    );
