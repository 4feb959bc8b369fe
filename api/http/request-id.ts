import { randomUUID } from "node:crypto";

import type { RequestHandler } from "express";

/** Every answer names its request; a trusted proxy's own id is kept. */
export function requestIds(): RequestHandler {
  return (request, response, next) => {
    const given = request.get("x-request-id");
    const trusted = request.app.get("trust proxy fn") as (address: string, hop: number) => boolean;
    const fromProxy = trusted(request.socket.remoteAddress ?? "", 0);
    const keep = fromProxy && given !== undefined && /^[A-Za-z0-9._-]{8,64}$/.test(given);
    const id = keep ? given : randomUUID();
    response.locals["requestId"] = id;
    response.set("X-Request-Id", id);
    next();
  };
}
