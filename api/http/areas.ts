import type { Route } from "./route.ts";

/** How many segments name an area: those of `/api/v1/public/posts` in `/api/v1/public/posts/:slug`. */
const depth = 4;

/** The area of a path that is asked for: what its first segments say, with a slash at its end or not. */
export const areaOf = (path: string): string =>
  path
    .split("/", depth + 1)
    .filter((segment) => segment !== "")
    .join("/");

/**
 * The routes of each area, by what `areaOf` says of the paths that they answer.
 * @throws Error where the first segments have a parameter: no path that is asked for names that
 */
export function groupByArea(routes: readonly Route[]): Map<string, Route[]> {
  const groups = Map.groupBy(routes, ({ path }) => areaOf(path));
  const unnamed = [...groups.keys()].find((area) => area.includes(":"));
  if (unnamed) throw new Error(`A parameter comes too early in a path: ${unnamed}`);
  return groups;
}
