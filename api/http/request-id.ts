import { randomUUID } from "node:crypto";

import type { Request, Response } from "express";

import { isFromProxy } from "../origin/origin.ts";

/** Gives every request an id. An id from a trusted proxy is kept. */
export function setRequestId(request: Request, response: Response): void {
  const id = idFromProxy(request) ?? randomUUID();
  response.locals["requestId"] = id;
  response.setHeader("X-Request-Id", id);
}

function idFromProxy(request: Request): string | undefined {
  const given = request.headers["x-request-id"];
  if (typeof given !== "string" || !/^[A-Za-z0-9._-]{8,64}$/.test(given)) return undefined;
  return isFromProxy(request) ? given : undefined;
}
