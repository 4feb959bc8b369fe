import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { projectFolder } from "../../jobs/commands/launch/script.ts";
import { clockNowPlus } from "../../models/queries/clock.ts";
import { sealProviderSecret } from "../../shared/auth/providers/provider-client.ts";
import { totpSealContext } from "../../shared/auth/second-factor/totp-secret.ts";
import { findTableAndColumn, sealedColumns } from "../../shared/ops/sealed-columns.ts";
import { sealText } from "../../shared/platform/crypto/sealed.ts";
import { sealSidecarToken } from "../../shared/shard/sidecar/sidecar-link.ts";
import { botTokenSealContext } from "../../shared/site/chat-bot.ts";
import {
  previousContentSealContext,
  secretsSealContext,
} from "../../shared/survival/config/config-seals.ts";
import { sealRconPassword, serverTokenSealContext } from "../../shared/survival/server-link.ts";
import { sealHookSecret, sealHookUrl } from "../../shared/webhooks/hooks/hook-secrets.ts";
import {
  requestChallenge,
  codeOf,
  createEnrolledUser,
  type EnrolledUser,
  forgetSteps,
} from "../support/accounts/second-factor.ts";
import { createTestUser, logIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { changeSidecarLink } from "../support/factories/shard.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { buildUsers, changeUser, userOf } from "../support/factories/users.ts";
import { buildWebhook } from "../support/factories/webhooks.ts";
import { callRoute } from "../support/http/call.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { makeList } from "../support/races/race.ts";
import { startTestServer, testEnvironment, type TestServer } from "../support/service/server.ts";
import { runProgram } from "./shell-program.ts";

const keyOf = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString("base64")}`;
const [oldKey, newKey] = [keyOf("test", 7), keyOf("next", 9)];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function rotate(keys: string, others: NodeJS.ProcessEnv = {}) {
  const environment = { ...testEnvironment(server.database.url), ...others, SECRETS_KEYS: keys };
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["jobs/commands/rotate-secrets.ts"],
      { cwd: projectFolder, env: { PATH: process.env["PATH"], ...environment } },
    );
    return { code: 0, lines: stdout.trim().split("\n") };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, lines: stdout.trim().split("\n") };
  }
}

const places = () =>
  sealedColumns.map((sealed) => findTableAndColumn(sealed, server.context.models));

async function keyIds(): Promise<string[]> {
  const ids: string[] = [];
  for (const { table, column } of places()) {
    const rows = await query(
      server,
      `select distinct split_part(${column}, '.', 2) as id from ${table} where ${column} is not null`,
    );
    ids.push(...(rows as { id: string }[]).map(({ id }) => id));
  }
  return [...new Set(ids)];
}

/** Returns the id of the key with which a user's second factor is encrypted. */
const totpKeyOf = async (userId: number) =>
  (await userOf(server, userId)).totpSecretSealed?.split(".")[1];

/** Inserts a webhook that still has the secret from before a rotation. */
async function plantWebhook(): Promise<void> {
  const origin = "https://bot.example";
  const hook = await buildWebhook(server, { shownUrl: origin, origin, streams: ["news.post"] });
  const secretSealed = sealHookSecret(hook.id, "whsec_secret", server.config);
  const urlSealed = sealHookUrl(hook.id, origin, server.config);
  await hook.update({ urlSealed, secretSealed, formerSecretSealed: secretSealed });
}

/** Inserts an unfinished enrollment. Its secret is a copy of the user's stored secret. */
async function plantEnrolment(userId: number): Promise<void> {
  const { PendingTotp, User } = server.context.models;
  const { totpSecretSealed } = await User.findByPk(userId, { rejectOnEmpty: true });
  const secretSealed = totpSecretSealed ?? "";
  await PendingTotp.create({ userId, secretSealed, expiresAt: clockNowPlus(3_600_000) });
}

async function plantSurvivalServer(): Promise<void> {
  const made = await buildSurvivalServer(server);
  const sealContext = serverTokenSealContext(made.id);
  await made.update({
    tokenSealed: sealText("survival token", sealContext, server.config.SECRETS_KEYS),
    rconPasswordSealed: sealRconPassword(made.id, "rcon-password", server.config.SECRETS_KEYS),
  });
  const writeId = randomUUID();
  await server.context.models.SurvivalConfigWrite.create({
    writeId,
    serverId: made.id,
    plugin: "Kits",
    file: "Kits.json",
    settleBy: new Date(),
    beforeHash: "",
    writtenHash: "",
    requestHash: "",
    beforeSealed: sealText("{}", previousContentSealContext(writeId), server.config.SECRETS_KEYS),
    secretsSealed: sealText("[]", secretsSealContext(writeId), server.config.SECRETS_KEYS),
  });
}

/**
 * Signs a user in with the second factor, on a server that has only this key.
 * @returns the status
 */
async function signInUnder(key: string, user: EnrolledUser): Promise<number> {
  const { database } = server;
  const later = await startTestServer({ database, environment: { SECRETS_KEYS: key } });
  try {
    await forgetSteps(server, user.userId);
    const challenge = await requestChallenge(later, user);
    const body = { challenge, code: codeOf(user.secret) };
    return (await callRoute(later, "POST /auth/login/totp", { body })).status;
  } finally {
    await later.stop();
  }
}

describe("npm run secrets:rotate", () => {
  it("encrypts every secret with the first key, so that the old key can be removed", async () => {
    const user = await createEnrolledUser(server);
    const pending = await createEnrolledUser(server);
    await plantEnrolment(pending.userId);
    const { SECRETS_KEYS } = server.config;
    const clientSecretSealed = sealProviderSecret("google", "a secret", server.config);
    const { AuthProvider } = server.context.models;
    await AuthProvider.update({ clientSecretSealed }, { where: { id: "google" } });
    await changeSidecarLink(server, { tokenSealed: sealSidecarToken("shard token", SECRETS_KEYS) });
    const tokenSealed = sealText("bot token", botTokenSealContext, SECRETS_KEYS);
    await server.context.models.ChatBot.update({ tokenSealed }, { where: {} });
    await plantWebhook();
    await plantSurvivalServer();
    expect(await keyIds()).toEqual(["test"]);
    expect(await rotate(`${newKey},${oldKey}`)).toEqual({
      code: 0,
      lines: [
        "totp_pending.secret_sealed: 1 encrypted under the first key",
        "users.totp_secret_sealed: 2 encrypted under the first key",
        "shardlink.token_sealed: 1 encrypted under the first key",
        "chat_bot.token_sealed: 1 encrypted under the first key",
        "auth_providers.client_secret_sealed: 1 encrypted under the first key",
        "survival_servers.token_sealed: 1 encrypted under the first key",
        "survival_servers.rcon_password_sealed: 1 encrypted under the first key",
        "survival_config_writes.before_sealed: 1 encrypted under the first key",
        "survival_config_writes.secrets_sealed: 1 encrypted under the first key",
        "webhooks.url_sealed: 1 encrypted under the first key",
        "webhooks.secret_sealed: 1 encrypted under the first key",
        "webhooks.former_secret_sealed: 1 encrypted under the first key",
      ],
    });
    expect(await keyIds()).toEqual(["next"]);
    expect(await signInUnder(newKey, user)).toBe(200);
  });

  it("changes nothing on a second run", async () => {
    const { code, lines } = await rotate(`${newKey},${oldKey}`);
    expect([code, lines.filter((line) => line.includes(": 0 encrypted"))]).toEqual([0, lines]);
  });

  it("keeps a secret that no key can decrypt, names its row and exits with 1", async () => {
    const { userId } = await createEnrolledUser(server);
    const lost = await startTestServer({
      database: server.database,
      environment: { SECRETS_KEYS: keyOf("lost", 3) },
    });
    const { userId: orphan } = await createEnrolledUser(lost);
    await lost.stop();
    const { code, lines } = await rotate(`${newKey},${oldKey}`);
    expect(code).toBe(1);
    expect(lines[1]).toBe(
      `users.totp_secret_sealed: 1 encrypted under the first key, 1 that no key decrypts (rows ${orphan})`,
    );
    expect([await totpKeyOf(userId), await totpKeyOf(orphan)]).toEqual(["next", "lost"]);
  });

  it("encrypts the secret of an enrollment that completes while it runs", async () => {
    const user = await createEnrolledUser(server);
    const { userId } = user;
    await plantEnrolment(userId);
    await changeUser(server, userId, { totpSecretSealed: null });
    const held = await server.context.sequelize.transaction();
    const options = { bind: [userId], transaction: held };
    await server.context.sequelize.query(
      "select from totp_pending where user_id = $1 for update",
      options,
    );
    const rotating = rotate(`${newKey},${oldKey}`);
    await waitUntilLockWaits(server);
    await server.context.sequelize.query(
      `with pending as (delete from totp_pending where user_id = $1 returning secret_sealed)
       update users set totp_secret_sealed = secret_sealed from pending where id = $1`,
      options,
    );
    await held.commit();
    await rotating;
    expect(await totpKeyOf(userId)).toBe("next");
    expect(await signInUnder(newKey, user)).toBe(200);
  });

  it("reports how many passwords still need a former pepper until their users sign in", async () => {
    const { database } = server;
    const [former, current] = [keyOf("former", 3), keyOf("current", 4)];
    const before = await startTestServer({ database, environment: { PASSWORD_PEPPERS: former } });
    const users = [await createTestUser(before), await createTestUser(before)];
    await before.stop();
    const environment = { PASSWORD_PEPPERS: `${current},${former}` };
    const needs = (count: number) =>
      `users.password_hash: ${count} users need a former pepper until their next sign-in`;
    const last = async () => (await rotate(`${newKey},${oldKey}`, environment)).lines.at(-1);
    expect(await last()).toBe(needs(2));
    const after = await startTestServer({ database, environment });
    for (const [signedIn, user] of users.entries()) {
      expect(await last()).toBe(needs(2 - signedIn));
      await logIn(after, user);
      const pepperOf = async () => (await userOf(server, user.userId)).pepperId;
      await waitUntil("the password is hashed anew", async () => (await pepperOf()) === "current");
    }
    await after.stop();
    expect(await last()).not.toContain("pepper");
  });

  it("explains what is wrong with the environment", async () => {
    const environment = { ...testEnvironment(server.database.url), SECRETS_KEYS: "next:short" };
    const given = { given: [], folder: tmpdir(), environment };
    const { code, said, complained } = await runProgram("jobs/commands/rotate-secrets.ts", given);
    expect([code, said]).toEqual([1, ""]);
    expect(complained).toMatch(/^The environment variables are not valid:\n {2}SECRETS_KEYS .*\n$/);
  });

  it("rotates more rows than one batch holds", async () => {
    await server.context.models.User.update({ totpSecretSealed: null }, { where: {} });
    const { SECRETS_KEYS } = server.config;
    const made = await buildUsers(
      server,
      makeList(450, (n) => ({ username: `batch-${n}` })),
    );
    for (const { id } of made) {
      const sealed = sealText("a secret", totpSealContext(id), SECRETS_KEYS);
      await changeUser(server, id, { totpSecretSealed: sealed });
    }
    const { lines } = await rotate(`${newKey},${oldKey}`);
    expect(lines[1]).toBe("users.totp_secret_sealed: 450 encrypted under the first key");
  });
});

describe("the catalog of encrypted columns", () => {
  it("contains every column of the schema that holds an encrypted secret", async () => {
    const rows = await query(
      server,
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and column_name like '%sealed%' order by 1`,
    );
    // This column is not encrypted with a key of SECRETS_KEYS, but with the preceding refresh
    // token.
    const underTokens = ["mobile_sessions.successor_sealed"];
    const known = [...places().map(({ table, column }) => `${table}.${column}`), ...underTokens];
    expect((rows as { name: string }[]).map(({ name }) => name)).toEqual(known.toSorted());
  });
});
