import { findRevisionField } from "./based-on.ts";
import type { Route } from "./route.ts";

const listed = (routes: readonly Route[], set: Route["set"]): Route[] =>
  routes
    .filter((route) => route.set === set)
    .toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));

const sortKey = ({ path, method }: Route): string => `${path} ${method}`;

/** Returns `METHOD path` for each `core` or `additive` route. A test compares the list with the released one. */
export const listRouteLines = (routes: readonly Route[], set: Route["set"]): string[] =>
  listed(routes, set).map(({ method, path }) => `${method.toUpperCase()} ${path}`);

/**
 * Returns `METHOD path gate` for each `core` or `additive` route. A test compares the list with the released one.
 */
export const listGateLines = (routes: readonly Route[], set: Route["set"]): string[] =>
  listed(routes, set).map(({ method, path, gate }) => `${method.toUpperCase()} ${path} ${gate}`);

/** Returns `METHOD path confirms` for each route that requires confirmation. */
export const listConfirmationLines = (routes: readonly Route[]): string[] =>
  routes
    .filter(({ confirms }) => confirms !== undefined)
    .toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
    .map(({ method, path, confirms }) => {
      const when = confirms === true ? "unless-recent" : "always";
      return `${method.toUpperCase()} ${path} ${when}`;
    });

/** Returns `METHOD path when field` for each route that checks a revision. */
export const listRevisionCheckLines = (routes: readonly Route[]): string[] =>
  routes
    .toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
    .flatMap(({ method, path, basedOn }) =>
      basedOn
        ? [`${method.toUpperCase()} ${path} ${basedOn.when} ${findRevisionField(basedOn)}`]
        : [],
    );
