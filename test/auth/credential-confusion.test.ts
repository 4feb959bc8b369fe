import { beforeAll, describe, expect, it } from "vitest";

import {
  requestChallenge,
  codeOf,
  createEnrolledUser,
  forgetSteps,
} from "../support/accounts/second-factor.ts";
import { callRoute, cookieOf } from "../support/http/call.ts";
import type { TestServer } from "../support/service/server.ts";
import { sharedServer } from "../support/service/shared-server.ts";

/** One valid credential of each kind. */
type Credentials = Readonly<
  Record<"session" | "access" | "refresh" | "challenge" | "trust", string>
>;

let server: TestServer;
let credentials: Credentials;
let code: () => string;
beforeAll(async () => {
  server = await sharedServer();
  const user = await createEnrolledUser(server);
  const { username, password, secret, recoveryCodes } = user;
  await forgetSteps(server, user.userId);
  const trusted = await callRoute(server, "POST /auth/login/totp", {
    body: {
      challenge: await requestChallenge(server, user),
      code: codeOf(secret),
      trustDevice: true,
    },
  });
  const phone = await callRoute(server, "POST /auth/mobile/login", {
    body: { username, password, recoveryCode: recoveryCodes[0] },
  });
  const { accessToken, refreshToken } = phone.body as Record<string, string>;
  await forgetSteps(server, user.userId);
  code = () => codeOf(secret);
  credentials = {
    session: user.cookie.slice("session=".length),
    access: accessToken as string,
    refresh: refreshToken as string,
    challenge: await requestChallenge(server, user),
    trust: cookieOf(trusted, "gh_td")?.slice("gh_td=".length) as string,
  };
});

const places = {
  session: (token: string) =>
    callRoute(server, "GET /auth/me", { headers: { cookie: `session=${token}` } }),
  access: (token: string) =>
    callRoute(server, "GET /auth/me", { headers: { authorization: `Bearer ${token}` } }),
  refresh: (token: string) =>
    callRoute(server, "POST /auth/mobile/refresh", { body: { refreshToken: token } }),
  challenge: (token: string) =>
    callRoute(server, "POST /auth/login/totp", { body: { challenge: token, code: code() } }),
} as const;

const names = ["session", "access", "refresh", "challenge", "trust"] as const;
const pairs = Object.keys(places).flatMap((place) =>
  names.filter((name) => name !== place).map((name) => [name, place as keyof typeof places]),
) as [keyof Credentials, keyof typeof places][];

describe("a credential", () => {
  it.each(pairs)("%s used as %s is rejected and sets no cookie", async (name, place) => {
    const answered = await places[place](credentials[name]);
    expect([answered.status, answered.setCookies]).toEqual([401, []]);
  });

  it("is accepted for its own purpose after it was rejected for others", async () => {
    for (const place of ["session", "access", "refresh", "challenge"] as const) {
      expect((await places[place](credentials[place])).status).toBe(200);
    }
  });
});
