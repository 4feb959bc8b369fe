import { randomUUID } from "node:crypto";

import type { Request, RequestHandler } from "express";

import { isFromProxy } from "./origin.ts";

/** Every answer names its request; a trusted proxy's own id is kept. */
export function requestIds(): RequestHandler {
  return (request, response, next) => {
    const id = idFromProxy(request) ?? randomUUID();
    response.locals["requestId"] = id;
    response.setHeader("X-Request-Id", id);
    next();
  };
}

function idFromProxy(request: Request): string | undefined {
  const given = request.headers["x-request-id"];
  if (typeof given !== "string" || !/^[A-Za-z0-9._-]{8,64}$/.test(given)) return undefined;
  return isFromProxy(request) ? given : undefined;
}
