import type { Request, Response } from "express";

import { addBotScore } from "../../shared/auth/throttle/bot-score.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import { FairQueue } from "../../shared/platform/net/fair-queue.ts";
import { beginCall, endCall, type PluginCall } from "../../shared/platform/plugin/calls.ts";
import type { ApiContext } from "../context.ts";
import { findBearerToken } from "../http/authenticate.ts";
import { readRequestOrigin } from "../origin/origin.ts";

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

/** Limits lookups of keys that this process does not know, so that made-up keys cannot use up the pool. */
const unknownKeyQueue = new FairQueue({
  atOnce: 2,
  caps: { network: 128, total: 1_024 },
  refusal: () =>
    new AppError("busy", "Too many keys are being checked at once: try again in a moment", {
      retryAfter: 1,
    }),
});

/** Keys that were valid at their last call. Calls with these keys skip the queue. */
const known = new Set<string>();
const maxKnown = 1_000;

/**
 * Authenticates a plugin's call before its body is read. The call ends when its answer has been sent.
 * @param isCounted true if the call counts towards the limit per second
 * @throws AppError plugin_key_unknown, which raises the bot score; plugin_key_ended, plugin_limit
 */
export async function admitPluginCall(
  { request, response }: Exchange,
  isCounted: boolean,
  context: ApiContext,
): Promise<PluginCall> {
  if (request.httpVersion === "1.0") {
    throw new AppError("malformed_request", "HTTP/1.1 is required");
  }
  const key = findBearerToken(request.headers.authorization ?? "") ?? "";
  const call = await begin(key, { request, response }, isCounted, context);
  runOnClose(response, () => {
    endCall(call, isProofOfLife(response), context).catch((error: unknown) => {
      context.log.warn({ err: error }, "the end of a plugin's call could not be stored");
    });
  });
  return call;
}

/** A refused call does not prove that the game is running: an ended game process may have sent it. */
const isProofOfLife = ({ statusCode }: Response): boolean => statusCode < 400 || statusCode >= 500;

/** Calls `act` when the response ends or its connection closes; at once if that has already happened. */
export function runOnClose(response: Response, act: () => void): void {
  if (response.closed) act();
  else response.once("close", act);
}

async function begin(
  key: string,
  { request, response }: Exchange,
  isCounted: boolean,
  context: ApiContext,
): Promise<PluginCall> {
  const { networks, isBannable, address } = readRequestOrigin(request);
  const look = () => beginCall(key, isCounted, context);
  try {
    const call = await (known.has(key) ? look() : unknownKeyQueue.run(address, look));
    remember(key);
    return call;
  } catch (error) {
    const code = error instanceof AppError ? error.errorCode : undefined;
    if (code !== "plugin_key_unknown" && code !== "plugin_key_ended") throw error;
    known.delete(key);
    response.set("WWW-Authenticate", key === "" ? "Bearer" : 'Bearer error="invalid_token"');
    const isGuess = code === "plugin_key_unknown" && key !== "" && isBannable;
    if (isGuess) await addBotScore(networks, "token", context);
    throw error;
  }
}

function remember(key: string): void {
  if (known.size >= maxKnown) known.clear();
  known.add(key);
}
