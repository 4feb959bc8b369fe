import type { Request, Response } from "express";

import type { Route } from "./route.ts";

/** What every log line about a request names. */
interface RequestFacts {
  readonly requestId: unknown;
  readonly method: string;
  /** The route's path as it is declared, never the URL. */
  readonly route: string;
}

export const factsOf = ({ method }: Request, response: Response): RequestFacts => ({
  requestId: response.locals["requestId"],
  method,
  route: routeOf(response)?.path ?? "unknown",
});

/** The route that answers; undefined where none does, or before one was found. */
export const routeOf = ({ locals }: Response): Route | undefined =>
  locals["route"] as Route | undefined;
