import type { Request, Response } from "express";

import type { Caller } from "../../shared/platform/access/caller.ts";
import { openEventStream } from "./sse.ts";

/** The caller of a stream and the response for it. */
export interface StreamRequest {
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller | null;
  /** The client's last event; undefined to start with the next event. */
  readonly lastEventId?: string | undefined;
}

/** Sends the headers of a stream. @returns true if a body can follow */
export function sendStreamHead({
  request,
  response,
}: Pick<StreamRequest, "request" | "response">): boolean {
  openEventStream(response);
  // A pipelined request has no socket before the previous answer ends. Its stream ends here.
  if (request.method !== "HEAD" && response.socket) return true;
  response.end();
  return false;
}
