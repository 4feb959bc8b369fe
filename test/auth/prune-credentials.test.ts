import { randomBytes, randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { pruneCredentials } from "../../shared/auth/sessions/prune-credentials.ts";
import { createTestUser } from "../support/accounts/sign-in.ts";
import { query } from "../support/database/query.ts";
import {
  buildPasswordReset,
  buildReputation,
  buildTrustedDevice,
} from "../support/factories/users.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const hour = 3_600_000;
const day = 24 * hour;

/** Inserts one credential of each kind that ends after this time. */
async function plant(userId: number, endsInMs: number): Promise<void> {
  const end = clockNowPlus(endsInMs);
  const { ApiToken, AuthChallenge, Invite, MobileFamily, MobileSession, RevokedToken } =
    server.context.models;
  await RevokedToken.create({ tokenId: randomUUID(), userId, expiresAt: end });
  await AuthChallenge.create({
    id: randomUUID(),
    userId,
    kind: "totp",
    issuedAt: 0,
    expiresAt: end,
  });
  await buildTrustedDevice(server, { userId, expiresAt: end });
  const family = await MobileFamily.create({ userId, signedInAt: 0, expiresAt: end });
  const tokenHash = randomBytes(32);
  await MobileSession.create({ familyId: family.id, tokenHash, issuedAt: 0, expiresAt: end });
  await buildPasswordReset(server, { userId, expiresAt: end });
  await Invite.create({ role: "player", expiresAt: end });
  await plantSso(userId, end);
  await ApiToken.create({
    name: "x",
    tokenHash: randomBytes(32),
    role: "player",
    scopes: [],
    createdBy: userId,
    expiresAt: end,
  });
  await query(
    server,
    `insert into rate_limits (key, points, expire)
     values ($1, 1, extract(epoch from clock_timestamp()) * 1000 + $2::float8)`,
    randomUUID(),
    endsInMs,
  );
  await buildReputation(server, { addressKey: randomUUID(), score: 1, scoredAt: end });
}

/** Inserts the rows of a sign-in at a provider that expire at this time. */
async function plantSso(userId: number, end: ReturnType<typeof clockNowPlus>): Promise<void> {
  const { Identity, MobileSsoCode, SsoTransaction } = server.context.models;
  await query(
    server,
    `insert into sso_sessions (sid, sess, expire) values ($1, '{}', ${end.val as string})`,
    randomUUID(),
  );
  await SsoTransaction.create({
    stateHash: randomBytes(32),
    browserHash: randomBytes(32),
    providerId: "google",
    mode: "login",
    userId: null,
    nonce: null,
    codeVerifier: "x",
    appRedirectUri: null,
    appState: null,
    appChallenge: null,
    expiresAt: end,
    consumedAt: null,
  });
  const at = { providerId: "google", providerName: "Google", issuer: "x" };
  const { id: identityId } = await Identity.create({ ...at, userId, subject: randomUUID() });
  await MobileSsoCode.create({
    codeHash: randomBytes(32),
    userId,
    identityId,
    codeChallenge: "x",
    issuedAt: 0,
    expiresAt: end,
    consumedAt: null,
    familyId: null,
  });
}

describe("the pruning of credentials", () => {
  it("deletes expired rows of every kind and keeps the others", async () => {
    const { userId } = await createTestUser(server);
    const gone = await createTestUser(server);
    await plant(userId, hour);
    await plant(gone.userId, -3 * 365 * day);
    await server.context.models.PendingTotp.bulkCreate([
      { userId, secretSealed: "x", expiresAt: clockNowPlus(hour) },
      { userId: gone.userId, secretSealed: "x", expiresAt: clockNowPlus(-hour) },
    ]);
    const kinds = [
      "revoked_tokens",
      "auth_challenges",
      "totp_pending",
      "trusted_devices",
      "mobile_sessions",
      "mobile_families",
      "password_resets",
      "invites",
      "api_tokens",
      "sso_sessions",
      "sso_transactions",
      "mobile_sso_codes",
      "rate_limits",
      "ip_reputation",
    ];
    const each = (count: number) => Object.fromEntries(kinds.map((kind) => [kind, count]));
    expect(await pruneCredentials(server.context)).toEqual(each(1));
    expect(await pruneCredentials(server.context)).toEqual(each(0));
    for (const kind of kinds) {
      const rows = await query(server, `select count(*)::integer as left from ${kind}`);
      expect([kind, rows]).toEqual([kind, [{ left: 1 }]]);
    }
  });

  it("keeps the rows of addresses that were banned or blocked recently", async () => {
    const [scoredAt, ended] = [clockNowPlus(-9 * day), clockNowPlus(-day)];
    await buildReputation(server, { addressKey: "banned", scoredAt, bannedUntil: ended });
    await buildReputation(server, { addressKey: "blocked", scoredAt, loginBlockedUntil: ended });
    const { ip_reputation } = await pruneCredentials(server.context);
    expect(ip_reputation).toBe(0);
  });

  it("keeps a banned address for BOT_BAN_LONGEST after the end of its ban", async () => {
    await buildReputation(server, {
      addressKey: "long ago",
      scoredAt: clockNowPlus(-9 * day),
      bannedUntil: clockNowPlus(-8 * day),
    });
    const { sequelize, config } = server.context;
    const patient = { ...config, BOT_BAN_LONGEST: 8 * day };
    expect((await pruneCredentials({ sequelize, config: patient }))["ip_reputation"]).toBe(0);
    expect((await pruneCredentials({ sequelize, config }))["ip_reputation"]).toBe(1);
  });

  it("skips a row that a request has locked, instead of waiting for it", async () => {
    const add = "insert into rate_limits (key, points, expire) values ('old', 1, 1)";
    await query(server, add);
    const held = await server.context.sequelize.transaction();
    await server.context.sequelize.query("select from rate_limits where key = 'old' for update", {
      transaction: held,
    });
    expect(await pruneCredentials(server.context)).toMatchObject({ rate_limits: 0 });
    await held.commit();
    expect(await pruneCredentials(server.context)).toMatchObject({ rate_limits: 1 });
  });

  it("deletes 12,001 rows in one run", async () => {
    await query(
      server,
      "insert into rate_limits (key, points, expire) select 'old:' || n, 1, 1 from generate_series(1, 12001) n",
    );
    const { rate_limits } = await pruneCredentials(server.context);
    expect(rate_limits).toBe(12_001);
  });
});
