import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { resetMfa, setPassword } from "../../jobs/commands/accounts/accounts.ts";
import { makeResetLink } from "../../shared/auth/account/password-reset.ts";
import { sealTotpSecret } from "../../shared/auth/second-factor/totp-secret.ts";
import { signToken } from "../../shared/platform/crypto/jwt.ts";
import { generateTotpSecret } from "../../shared/platform/crypto/totp.ts";
import { isSignedIn } from "../support/accounts/is-signed-in.ts";
import {
  requestChallenge,
  codeOf,
  createEnrolledUser,
  forgetSteps,
} from "../support/accounts/second-factor.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { query } from "../support/database/query.ts";
import { userOf } from "../support/factories/users.ts";
import { type ApiAnswer, callRoute, cookieOf, statusAndBodyOf } from "../support/http/call.ts";
import {
  userChangeOf,
  changeUserDuringRequest,
  waitUntilLockWaits,
} from "../support/races/overtake.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await startTestServer({ environment: { ...unlimited, DATABASE_POOL: "12" } });
  admin = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());

type Headers = Readonly<Record<string, string>>;

type User = SignedIn & { readonly secret?: string };

interface RevocationCase {
  /**
   * Creates the user whose credentials the revocation ends. The user has a second factor if the
   * case needs it.
   */
  readonly user: () => Promise<User>;
  readonly end: (user: User) => Promise<unknown>;
}

const newPassword = "a brand new password";
const asAdmin = () => ({ headers: admin.headers });

const revocations: Readonly<Record<string, RevocationCase>> = {
  "a new password": {
    user: () => signIn(server),
    end: ({ headers, password }) => {
      const body = { currentPassword: password, newPassword };
      return callRoute(server, "PATCH /auth/me/account/password", { headers, body });
    },
  },
  "a reset by link": {
    user: () => signIn(server, { email: "forgetful@example.org" }),
    end: async ({ userId }) => {
      const link = await makeResetLink(userId, server.context);
      const body = { password: newPassword };
      return callRoute(server, `POST /auth/password/reset/${link?.token}`, { body });
    },
  },
  "a new password from the shell": {
    user: () => signIn(server),
    end: ({ username }) => setPassword(username, newPassword, server.context),
  },
  "a second factor reset by an administrator": {
    user: () => createEnrolledUser(server),
    end: ({ userId }) => callRoute(server, `POST /admin/users/${userId}/mfa/reset`, asAdmin()),
  },
  "a second factor reset from the shell": {
    user: () => createEnrolledUser(server),
    end: ({ username }) => resetMfa(username, server.context),
  },
  "an account that is disabled": {
    user: () => signIn(server),
    end: ({ userId }) => {
      const body = { disabled: true };
      return callRoute(server, `PATCH /admin/users/${userId}`, { ...asAdmin(), body });
    },
  },
  "a demotion": {
    user: () => signIn(server, { role: "moderator" }),
    end: ({ userId }) => {
      const body = { role: "player" };
      return callRoute(server, `PATCH /admin/users/${userId}`, { ...asAdmin(), body });
    },
  },
  "the end of all other sessions": {
    user: () => signIn(server),
    end: ({ headers }) => callRoute(server, "DELETE /auth/me/sessions", { headers }),
  },
};

const bearerOf = ({ body }: ApiAnswer): Headers => ({
  authorization: `Bearer ${(body as { accessToken?: string }).accessToken}`,
});
const cookiesOf = (answered: ApiAnswer): Headers => ({
  cookie: cookieOf(answered, "session") ?? "",
});

interface Mint {
  readonly name: string;
  readonly answer: Promise<ApiAnswer>;
  readonly headersOf: (answered: ApiAnswer) => Headers;
}

const mintsOf = {
  web: (body: object): Mint => {
    return {
      name: "web",
      answer: callRoute(server, "POST /auth/login", { body }),
      headersOf: cookiesOf,
    };
  },
  app: (body: object): Mint => {
    const answer = callRoute(server, "POST /auth/mobile/login", { body });
    return { name: "app", answer, headersOf: bearerOf };
  },
  refresh: (body: object): Mint => {
    const answer = callRoute(server, "POST /auth/mobile/refresh", { body });
    return { name: "refresh", answer, headersOf: bearerOf };
  },
  completion: (body: object): Mint => {
    const answer = callRoute(server, "POST /auth/login/totp", { body });
    return { name: "completion", answer, headersOf: cookiesOf };
  },
} as const;

/** Prepares credentials of the user. @returns requests for new sessions with these credentials */
async function prepareMints(user: User): Promise<() => Mint[]> {
  const { username, password, secret, userId } = user;
  const body = { username, password };
  if (secret === undefined) {
    const device = await callRoute(server, "POST /auth/mobile/login", { body });
    return () => [mintsOf.web(body), mintsOf.app(body), mintsOf.refresh(device.body as object)];
  }
  const challenge = await requestChallenge(server, user);
  await forgetSteps(server, userId);
  const code = codeOf(secret);
  return () => [mintsOf.completion({ challenge, code }), mintsOf.app({ ...body, code })];
}

/**
 * Starts the revocation and holds its commit. A second later sends the requests for new sessions,
 * then commits.
 */
async function mintDuringRevocation(
  cut: () => Promise<unknown>,
  mint: () => Mint[],
): Promise<Mint[]> {
  const { sequelize } = server.context;
  const held = await sequelize.transaction();
  try {
    // The revocation changes the user first and writes to the log last, so the lock delays its
    // commit.
    await sequelize.query("lock table activity_log in share mode", { transaction: held });
    const ended = cut();
    await waitUntilLockWaits(server);
    await sleep(1_100);
    const minted = mint();
    await waitUntilLockWaits(server, 1 + minted.length);
    await held.commit();
    await ended;
    return minted;
  } catch (error) {
    await held.rollback();
    throw error;
  }
}

describe("a sign-in while the user's credentials are being invalidated", () => {
  it.each(Object.keys(revocations))("opens no session that survives %s", async (which) => {
    const { user: make, end } = revocations[which] as RevocationCase;
    const user = await make();
    const minted = await mintDuringRevocation(() => end(user), await prepareMints(user));
    const letIn = [];
    for (const { name, answer, headersOf } of minted) {
      const answered = await answer;
      const isLetIn = answered.status === 200 && (await isSignedIn(server, headersOf(answered)));
      if (isLetIn) letIn.push(name);
    }
    expect(letIn).toEqual([]);
  });
});

describe("a credential", () => {
  const tokenOf = async (userId: number, generation: number, fromNow: number) => {
    const issuedAt = Math.floor(Date.now() / 1000) + fromNow;
    const times = { issuedAt, expiresAt: issuedAt + 3_600 };
    const extra = { amr: ["pwd"], auth_time: issuedAt };
    const claims = { userId, tokenId: randomUUID(), generation, ...times, extra };
    return { cookie: `session=${await signToken("session", claims, server.config.JWT_KEYS)}` };
  };

  it("is valid by its generation number alone, whatever its issue time", async () => {
    const { userId, headers } = await signIn(server);
    await callRoute(server, "DELETE /auth/me/sessions", { headers });
    for (const fromNow of [-1_000, -2, 0, 2, 1_000]) {
      expect(await isSignedIn(server, await tokenOf(userId, 0, fromNow))).toBe(false);
      expect(await isSignedIn(server, await tokenOf(userId, 2, fromNow))).toBe(false);
      expect(await isSignedIn(server, await tokenOf(userId, 1, fromNow))).toBe(true);
    }
  });

  it("shows its true issue time even after eight invalidations", async () => {
    const began = Math.floor(Date.now() / 1000);
    const user = await signIn(server);
    let headers: Headers = user.headers;
    for (let cut = 1; cut <= 8; cut += 1) {
      headers = cookiesOf(await callRoute(server, "DELETE /auth/me/sessions", { headers }));
    }
    const { iat = 0, gen } = decodeJwt((headers["cookie"] ?? "").slice("session=".length));
    expect(gen).toBe(8);
    expect(iat).toBeGreaterThanOrEqual(began);
    expect(iat).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
    expect((await userOf(server, user.userId)).generation).toBe(8);
  });

  it("is invalidated if an older release moves tokens_valid_after forward", async () => {
    const { userId, headers } = await signIn(server);
    const cut = "update users set tokens_valid_after = tokens_valid_after + 1 where id = $1";
    await query(server, cut, userId);
    expect(await isSignedIn(server, headers)).toBe(false);
  });
});

describe("a second factor whose secret is replaced during the sign-in", () => {
  it("rejects the code of the former secret", async () => {
    const user = await createEnrolledUser(server);
    await forgetSteps(server, user.userId);
    const challenge = await requestChallenge(server, user);
    const body = { challenge, code: codeOf(user.secret) };
    const totpSecretSealed = sealTotpSecret(user.userId, generateTotpSecret(), server.context);
    const change = userChangeOf({ totpSecretSealed });
    const answered = await changeUserDuringRequest(server, { userId: user.userId, change }, () =>
      callRoute(server, "POST /auth/login/totp", { body }),
    );
    expect(statusAndBodyOf(answered)).toEqual([401, { error: "Invalid code" }]);
  });
});
