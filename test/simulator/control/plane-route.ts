import type { ActiveFaults } from "../faults/standing.ts";
import type { Actor } from "../received.ts";
import type { ControlAnswer } from "./refusal.ts";

/** The parts of a game that all control planes use. */
export interface ControlPlaneHost {
  readonly standing: ActiveFaults;
  readonly protocol: number;
  readonly clock: () => number;
  readonly game: {
    readonly running: boolean;
    readonly untilFree: () => Promise<void>;
  };
}

/**
 * The nature of a route. A `read` has neither key nor actor. A `command` needs both and can be
 * disabled. A `request` may have both and changes nothing in the game.
 */
export type RouteKind = "read" | "command" | "request";

/** A call that has passed the checks of its headers. */
export interface PlainCall {
  /** The parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** The actor. Null for a read and for a call without an actor. */
  readonly actor: Actor | null;
  /** The idempotency key. Null for a read. */
  readonly key: string | null;
}

/** A route of a control plane. `H` is the type of the game that answers it. */
export interface PlaneRoute<H> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** The first protocol version that has the route. */
  readonly since: number;
  readonly nature: RouteKind;
  /** True if the sidecar answers the call itself, so that it needs no running game. */
  readonly alone?: true;
  readonly answer: (call: PlainCall, host: H) => ControlAnswer;
}

export interface RouteMatch<H> {
  readonly route: PlaneRoute<H>;
  readonly params: Record<string, string>;
}

export type FindRoute<H> = (
  method: string,
  path: string,
  protocol: number,
) => RouteMatch<H> | undefined;

/**
 * Returns a function that finds a route by method and path. It skips routes that are newer than the
 * protocol version.
 */
export function routeFinder<H>(list: readonly PlaneRoute<H>[]): FindRoute<H> {
  const routes = list.map((route) => ({ route, parts: route.path.split("/") }));
  return (method, path, protocol) => {
    const given = path.split("/");
    for (const { route, parts } of routes) {
      if (route.method !== method || route.since > protocol) continue;
      const params = matchParts(parts, given);
      if (params !== undefined) return { route, params };
    }
    return undefined;
  };
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

/** Returns a parameter of the path. The route must declare it. */
export const readPathParam = (call: Pick<PlainCall, "params">, name: string): string =>
  call.params[name] as string;
