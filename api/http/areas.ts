import type { Route } from "./route.ts";

/** The number of path segments in an area: `/api/v1/public/posts/:slug` is in the area `/api/v1/public/posts`. */
const depth = 4;

/** Returns the area of a requested path: its first segments, regardless of a final slash. */
export const areaOf = (path: string): string =>
  path
    .split("/", depth + 1)
    .filter((segment) => segment !== "")
    .join("/");

/** Groups routes by the area of their path. @throws Error if the area has a parameter, which `areaOf` cannot find */
export function groupByArea(routes: readonly Route[]): Map<string, Route[]> {
  const groups = Map.groupBy(routes, ({ path }) => areaOf(path));
  const unnamed = [...groups.keys()].find((area) => area.includes(":"));
  if (unnamed) throw new Error(`A parameter comes too early in a path: ${unnamed}`);
  return groups;
}
