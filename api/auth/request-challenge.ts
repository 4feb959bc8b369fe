import type { Request } from "express";

import type { Config } from "../../shared/platform/config/config.ts";
import { invalidRequestError } from "../../shared/platform/errors/errors.ts";
import { findBearerToken } from "../http/authenticate.ts";
import { readCookie } from "../http/cookies.ts";

/** Reads the challenge of a sign-in. @throws AppError invalid if body, bearer token and cookie differ */
export function readChallengeToken(
  request: Request,
  inBody: string | undefined,
  config: Config,
): string | undefined {
  const { authorization } = request.headers;
  const bearer = authorization === undefined ? undefined : (findBearerToken(authorization) ?? "");
  return requireSame([inBody, bearer, readCookie(request, "challenge", config)]);
}

/** Reads the challenge after a sign-in at a provider: only the cookie has it. Throws like `readChallengeToken`. */
export const readSsoChallengeToken = (
  request: Request,
  inBody: string | undefined,
  config: Config,
): string | undefined => requireSame([inBody, readCookie(request, "ssoChallenge", config)]);

function requireSame(given: readonly (string | undefined)[]): string | undefined {
  const [challenge, ...others] = new Set(given.filter((token) => token !== undefined));
  if (others.length > 0) {
    throw invalidRequestError("The request contains different challenges: send only one");
  }
  return challenge;
}
