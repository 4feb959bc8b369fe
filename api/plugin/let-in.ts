import type { Request, Response } from "express";

import { addScore } from "../../shared/auth/throttle/bot-score.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import { FairQueue } from "../../shared/platform/net/fair-queue.ts";
import { beginCall, endCall, type PluginCall } from "../../shared/platform/plugin/calls.ts";
import type { ApiContext } from "../context.ts";
import { bearerOf } from "../http/authenticate.ts";
import { originOf } from "../origin/origin.ts";

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

/** Calls with keys that this process does not know yet: made-up keys must not take the whole pool. */
const strangers = new FairQueue({
  atOnce: 2,
  caps: { network: 128, total: 1_024 },
  refusal: () => new AppError("busy", "Too many keys are looked up at once", { retryAfter: 1 }),
});

/** Keys that were good at their last call, by which a call needs no turn. */
const known = new Set<string>();
const maxKnown = 1_000;

/**
 * Lets a call of a plugin in, and ends it with its answer. It comes before the body is read.
 * @param isCounted whether it is one of the calls that a key may make in a second
 * @throws AppError plugin_key_unknown, which scores; plugin_key_ended, plugin_limit
 */
export async function letPluginIn(
  { request, response }: Exchange,
  isCounted: boolean,
  context: ApiContext,
): Promise<PluginCall> {
  if (request.httpVersion === "1.0") throw new AppError("malformed_request", "HTTP/1.1 is needed");
  const key = bearerOf(request.headers.authorization ?? "") ?? "";
  const call = await begin(key, { request, response }, isCounted, context);
  whenClosed(response, () => {
    endCall(call, isHeard(response), context).catch((error: unknown) => {
      context.log.warn({ err: error }, "the end of a plugin's call was not noted");
    });
  });
  return call;
}

/** A refused call does not prove that the game is there: a former game process may send it. */
const isHeard = ({ statusCode }: Response): boolean => statusCode < 400 || statusCode >= 500;

/** Calls `act` once the connection or the answer has ended, at once if it has already. */
export function whenClosed(response: Response, act: () => void): void {
  if (response.closed) act();
  else response.once("close", act);
}

async function begin(
  key: string,
  { request, response }: Exchange,
  isCounted: boolean,
  context: ApiContext,
): Promise<PluginCall> {
  const { networks, isBannable, address } = originOf(request);
  const look = () => beginCall(key, isCounted, context);
  try {
    const call = await (known.has(key) ? look() : strangers.run(address, look));
    remember(key);
    return call;
  } catch (error) {
    const code = error instanceof AppError ? error.errorCode : undefined;
    if (code !== "plugin_key_unknown" && code !== "plugin_key_ended") throw error;
    known.delete(key);
    response.set("WWW-Authenticate", key === "" ? "Bearer" : 'Bearer error="invalid_token"');
    const isGuess = code === "plugin_key_unknown" && key !== "" && isBannable;
    if (isGuess) await addScore(networks, "token", context);
    throw error;
  }
}

function remember(key: string): void {
  if (known.size >= maxKnown) known.clear();
  known.add(key);
}
