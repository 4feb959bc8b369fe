import type { Reissued } from "../../shared/auth/sessions/reissue.ts";
import type { Config } from "../../shared/platform/config/config.ts";
import { type Answer, answer, type Cookie } from "../http/answer.ts";
import { sessionCookie } from "../http/cookies.ts";
import { viewTokens } from "./views.ts";

/** The caller's new session in the form it came in: a cookie beside the body, or a pair within it. */
export function answerReissued(
  body: object,
  reissued: Reissued,
  config: Config,
  cookies: readonly Cookie[] = [],
): Answer {
  if ("pair" in reissued) return answer(200, { ...body, ...viewTokens(reissued) }, { cookies });
  return answer(200, body, { cookies: [sessionCookie(reissued.session, config), ...cookies] });
}
