import { accountRoutes } from "./accounts.ts";
import { groundRoutes } from "./ground.ts";
import { helpRoutes } from "./help.ts";
import { moderationRoutes } from "./moderation.ts";
import type { ControlRoute } from "./route.ts";
import { sourceRoutes } from "./sources.ts";

const routes = [
  ...groundRoutes,
  ...accountRoutes,
  ...moderationRoutes,
  ...helpRoutes,
  ...sourceRoutes,
].map((route) => ({ route, parts: route.path.split("/") }));

export interface RouteMatch {
  readonly route: ControlRoute;
  readonly params: Record<string, string>;
}

/** The call that a method and a path stand for; a sidecar of an older protocol knows fewer. */
export function findRoute(method: string, path: string, protocol: number): RouteMatch | undefined {
  const given = path.split("/");
  for (const { route, parts } of routes) {
    if (route.method !== method || route.since > protocol) continue;
    const params = matchParts(parts, given);
    if (params !== undefined) return { route, params };
  }
  return undefined;
}

function matchParts(
  parts: readonly string[],
  given: readonly string[],
): Record<string, string> | undefined {
  if (parts.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const value = given[index] as string;
    if (part.startsWith(":")) params[part.slice(1)] = decode(value);
    else if (part !== value) return undefined;
  }
  return params;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
