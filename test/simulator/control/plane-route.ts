import type { StandingFaults } from "../faults/standing.ts";
import type { Actor } from "../received.ts";
import type { Answer } from "./refusal.ts";

/** What every control plane asks of the game it stands before. */
export interface Host {
  readonly standing: StandingFaults;
  readonly protocol: number;
  readonly clock: () => number;
  readonly game: {
    readonly running: boolean;
    readonly untilFree: () => Promise<void>;
  };
}

/**
 * `read` carries neither key nor actor; `command` needs both, and may be switched off; `request` may
 * carry them and changes nothing in the game.
 */
export type Nature = "read" | "command" | "request";

/** A call that passed every check of its headers. */
export interface PlainCall {
  /** By the names in the route's path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** Null on reads and where a command was made for nobody. */
  readonly actor: Actor | null;
  /** The idempotency key; null on reads. */
  readonly key: string | null;
}

/** One call of a control plane, answered from a host of the type. */
export interface PlaneRoute<H> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** The protocol from which the call exists. */
  readonly since: number;
  readonly nature: Nature;
  /** Answered by the sidecar alone, so while the plugin is away too. */
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

/** Finds the call that a method and a path stand for; a sidecar of an older protocol knows fewer. */
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

/** The named part of a path; a route only asks for names that its path has. */
export const param = (call: Pick<PlainCall, "params">, name: string): string =>
  call.params[name] as string;
