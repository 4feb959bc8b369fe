import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { unsealText } from "../../shared/platform/crypto/sealed.ts";
import { botTokenSealContext } from "../../shared/site/chat-bot.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { activityOf } from "../support/factories/site.ts";
import { callRoute, statusAndBodyOf, wrongField } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const path = "/admin/discord-bot/config";
const token = "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.secret";

let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());

const read = () => callRoute(server, `GET ${path}`, { headers: admin.headers });
const change = (body: unknown) =>
  callRoute(server, `PUT ${path}`, { headers: admin.headers, body });
const storedToken = async (): Promise<string | null> => {
  const bot = await server.context.models.ChatBot.findOne({ rejectOnEmpty: true });
  return bot.tokenSealed;
};

const unset = {
  enabled: false,
  guildId: null,
  announceChannelId: null,
  hasToken: false,
  updatedAt: null,
  updatedBy: null,
};

describe("the configuration of the chat bot", () => {
  it("is empty at first", async () => {
    const answered = await read();
    expect(statusAndBodyOf(answered)).toEqual([200, unset]);
    expect(answered.headers.get("cache-control")).toBe("no-store");
  });

  it("is stored field by field, with an encrypted token that no answer contains", async () => {
    const given = { enabled: true, guildId: "197038439483310086" };
    const changed = await change({ ...given, token: ` ${token}\n` });
    const set = {
      ...unset,
      ...given,
      hasToken: true,
      updatedAt: expect.stringMatching(/Z$/),
      updatedBy: admin.userId,
    };
    expect(statusAndBodyOf(changed)).toEqual([200, set]);
    const channel = { announceChannelId: "18446744073709551615" };
    expect(statusAndBodyOf(await change(channel))).toEqual([200, { ...set, ...channel }]);
    const last = await read();
    expect(statusAndBodyOf(last)).toEqual([200, { ...set, ...channel }]);
    expect(last.text).not.toContain(token);
    const sealed = (await storedToken()) as string;
    expect(sealed).not.toContain(token);
    expect(unsealText(sealed, botTokenSealContext, server.config.SECRETS_KEYS)).toBe(token);
  });

  it("keeps the token if it is absent or blank, replaces it if it is given, and clears it for null", async () => {
    await change({ token });
    const before = await storedToken();
    for (const body of [{}, { token: "" }, { token: "  " }]) {
      expect((await change(body)).body).toMatchObject({ hasToken: true });
    }
    expect(await storedToken()).toBe(before);
    await change({ token: "another" });
    expect(await storedToken()).not.toBe(before);
    expect((await change({ token: null })).body).toMatchObject({ hasToken: false });
    expect(await storedToken()).toBeNull();
    expect((await change({ guildId: null, announceChannelId: null })).body).toMatchObject({
      guildId: null,
      announceChannelId: null,
    });
  });

  it("is logged without its token", async () => {
    const where = { action: "site.bot_changed" };
    const before = (await activityOf(server, where, ["detail"])).length;
    await change({ enabled: false, token });
    await change({ guildId: null });
    const lines = await activityOf(server, where, ["actorId", "detail"]);
    expect(lines.slice(before)).toEqual([
      { actorId: admin.userId, detail: { enabled: false, tokenChanged: true } },
      { actorId: admin.userId, detail: { guildId: null, tokenChanged: false } },
    ]);
    const log = await callRoute(server, "GET /admin/activity?action=site.", {
      headers: admin.headers,
    });
    expect(log.text).not.toContain(token);
  });

  it("has all its fields from one of thirty concurrent changes", async () => {
    const changes = Array.from({ length: 30 }, (_, n) => ({
      guildId: String(n + 1),
      announceChannelId: String(n + 1),
    }));
    const answered = await Promise.all(changes.map((body) => change(body)));
    expect(answered.map(({ status }) => status)).toEqual(changes.map(() => 200));
    const { guildId, announceChannelId } = (await read()).body as Record<string, unknown>;
    expect(announceChannelId).toBe(guildId);
  });

  it("refuses invalid values, names the field, and stays unchanged", async () => {
    const before = statusAndBodyOf(await read());
    const id = "must be an id of Discord, in digits";
    for (const guildId of ["x1", "0", "1".repeat(21), "12 34"]) {
      expect(statusAndBodyOf(await change({ enabled: true, guildId }))).toEqual(
        wrongField("guildId", `guildId ${id}`),
      );
    }
    expect(statusAndBodyOf(await change({ announceChannelId: 7 }))).toEqual(
      wrongField("announceChannelId", "announceChannelId must be a string"),
    );
    expect(statusAndBodyOf(await change({ enabled: "yes" }))).toEqual(
      wrongField("enabled", "enabled must be a boolean"),
    );
    expect(statusAndBodyOf(await change({ token: "☃" }))).toEqual(
      wrongField("token", "token must consist of ASCII letters, digits, punctuation and spaces"),
    );
    expect((await change({ token: "x".repeat(4097) })).status).toBe(400);
    expect((await change([])).status).toBe(400);
    expect(statusAndBodyOf(await read())).toEqual(before);
  });

  it("is open to administrators only", async () => {
    for (const role of ["editor", "moderator", "player"] as const) {
      const { headers } = await signIn(server, { role });
      for (const method of ["GET", "PUT"]) {
        const body = method === "PUT" ? { body: {} } : {};
        const refused = await callRoute(server, `${method} ${path}`, { headers, ...body });
        expect(statusAndBodyOf(refused)).toEqual([403, { error: "Admin role required" }]);
      }
    }
    expect((await callRoute(server, `GET ${path}`)).status).toBe(401);
  });
});
