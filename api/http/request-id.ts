import { randomUUID } from "node:crypto";

import type { Request, Response } from "express";

import { type ArrivedRequest, isFromProxy } from "../origin/origin.ts";

/** Gives every request an id. */
export function setRequestId(request: Request, response: Response): void {
  const id = requestIdOf(request);
  response.locals["requestId"] = id;
  response.setHeader("X-Request-Id", id);
}

/** Returns the id that a trusted proxy has sent, or a new one. */
export const requestIdOf = (request: ArrivedRequest): string =>
  idFromProxy(request) ?? randomUUID();

function idFromProxy(request: ArrivedRequest): string | undefined {
  const given = request.headers["x-request-id"];
  if (typeof given !== "string" || !/^[A-Za-z0-9._-]{8,64}$/.test(given)) return undefined;
  return isFromProxy(request) ? given : undefined;
}
