import type { Request } from "express";

import type { Config } from "../../shared/platform/config/config.ts";
import { invalid } from "../../shared/platform/errors/errors.ts";
import { bearerOf } from "../http/authenticate.ts";
import { readCookie } from "../http/cookies.ts";

/**
 * The challenge of a second step: in the body, as a bearer token or by its cookie.
 * @throws AppError invalid when two of them differ: none of them is preferred silently
 */
export function challengeOf(
  request: Request,
  inBody: string | undefined,
  config: Config,
): string | undefined {
  const { authorization } = request.headers;
  const bearer = authorization === undefined ? undefined : (bearerOf(authorization) ?? "");
  return theOne([inBody, bearer, readCookie(request, "challenge", config)]);
}

/** The same after a sign-in at a provider, which hands its challenge out by the cookie alone. */
export const ssoChallengeOf = (
  request: Request,
  inBody: string | undefined,
  config: Config,
): string | undefined => theOne([inBody, readCookie(request, "ssoChallenge", config)]);

function theOne(given: readonly (string | undefined)[]): string | undefined {
  const [challenge, ...others] = new Set(given.filter((token) => token !== undefined));
  if (others.length > 0) throw invalid("Send one challenge");
  return challenge;
}
