import type { Request, Response } from "express";

import type { Route } from "./route.ts";

/** The fields of every log line about a request. */
interface RequestFacts {
  readonly requestId: unknown;
  readonly method: string;
  /** The route's declared path, never the URL. */
  readonly route: string;
}

export const readRequestLogFields = ({ method }: Request, response: Response): RequestFacts => ({
  requestId: response.locals["requestId"],
  method,
  route: routeOf(response)?.path ?? "unknown",
});

/** Returns the route of a response; undefined if no route matches or none was searched yet. */
export const routeOf = ({ locals }: Response): Route | undefined =>
  locals["route"] as Route | undefined;
