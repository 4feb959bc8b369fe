import type { Request, Response } from "express";

import type { Caller } from "../../shared/platform/access/caller.ts";
import { openEventStream } from "./sse.ts";

/** Who asks for a stream, and where its answer goes. */
export interface StreamRequest {
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller | null;
  /** The event it saw last; absent for one that starts with what comes next. */
  readonly lastEventId?: string | undefined;
}

/** Sends the head of a stream. @returns whether a body may follow */
export function begin({ request, response }: Pick<StreamRequest, "request" | "response">): boolean {
  openEventStream(response);
  // A request that was sent before the last one was answered has no socket of its own yet.
  if (request.method !== "HEAD" && response.socket) return true;
  response.end();
  return false;
}
