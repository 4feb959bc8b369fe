import type { ActiveFaults } from "../faults/standing.ts";
import type { Actor } from "../received.ts";
import type { Answer } from "./refusal.ts";

/** The interface of a game to every control plane. */
export interface Host {
  readonly standing: ActiveFaults;
  readonly protocol: number;
  readonly clock: () => number;
  readonly game: {
    readonly running: boolean;
    readonly untilFree: () => Promise<void>;
  };
}

/**
 * `read` takes neither key nor actor; `command` needs both and can be disabled; `request` may have them but
 * changes nothing in the game.
 */
export type Nature = "read" | "command" | "request";

/** A call whose headers are valid. */
export interface PlainCall {
  /** The decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** Null on reads and for commands without an actor. */
  readonly actor: Actor | null;
  /** The idempotency key; null on reads. */
  readonly key: string | null;
}

/** One route of a control plane; `H` is its host. */
export interface PlaneRoute<H> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** The first protocol version with this call. */
  readonly since: number;
  readonly nature: Nature;
  /** Answered by the sidecar itself, even while the plugin is away. */
  readonly alone?: true;
  readonly answer: (call: PlainCall, host: H) => Answer;
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

/** Returns a lookup of routes by method and path that skips routes newer than the protocol. */
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

/** Returns a parameter that the route's path is known to have. */
export const param = (call: Pick<PlainCall, "params">, name: string): string =>
  call.params[name] as string;
