import type { ReissuedSession } from "../../shared/auth/sessions/reissue.ts";
import type { Config } from "../../shared/platform/config/config.ts";
import { type Answer, createAnswer, type Cookie } from "../http/answer.ts";
import { sessionCookie } from "../http/cookies.ts";
import { viewTokens } from "./views.ts";

/**
 * Answers with the reissued session in the same form as the former one: a web session as a cookie, a device
 * session as tokens in the body.
 */
export function answerWithReissuedSession(
  body: object,
  reissued: ReissuedSession,
  config: Config,
  cookies: readonly Cookie[] = [],
): Answer {
  if ("pair" in reissued) {
    return createAnswer(200, { ...body, ...viewTokens(reissued) }, { cookies });
  }
  return createAnswer(200, body, {
    cookies: [sessionCookie(reissued.session, config), ...cookies],
  });
}
