import type { Route } from "./route.ts";

/** Sorts routes for matching: `/events/catalog` comes before `/events/:id`. */
export const sortLiteralFirst = (routes: readonly Route[]): Route[] =>
  routes.toSorted((one, other) => compare(rank(one), rank(other)));

/** A parameter matches any segment, so it sorts after literal ones. */
const rank = ({ path }: Route): string => path.replaceAll(/:[^/]+/g, "\uFFFF");

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);
