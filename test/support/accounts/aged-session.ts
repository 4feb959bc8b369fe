import { decodeJwt } from "jose";

import { signToken } from "../../../shared/platform/crypto/jwt.ts";
import type { TestServer } from "../service/server.ts";

/** Returns a cookie of the same session whose sign-in is this many seconds older. */
export async function ageSessionCookie(
  { config }: Pick<TestServer, "config">,
  cookie: string,
  seconds: number,
): Promise<{ readonly cookie: string }> {
  const { sub, jti, iat, exp, gen, amr, auth_time } = decodeJwt(cookie.slice("session=".length));
  const claims = {
    userId: Number(sub),
    tokenId: String(jti),
    generation: Number(gen),
    issuedAt: Number(iat),
    expiresAt: Number(exp),
    extra: { amr, auth_time: Number(auth_time) - seconds },
  };
  return { cookie: `session=${await signToken("session", claims, config.JWT_KEYS)}` };
}
