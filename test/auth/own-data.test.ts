import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

import { Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { unexportedColumns, exportParts } from "../../shared/own-data/catalogue.ts";
import { codeOf, createEnrolledUser, forgetSteps } from "../support/accounts/second-factor.ts";
import { createTestUser, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { query } from "../support/database/query.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { tableNames } from "../support/database/table-names.ts";
import { buildShardLink } from "../support/factories/shard.ts";
import { activityOf } from "../support/factories/site.ts";
import { buildSteamLink, buildSurvivalServer } from "../support/factories/survival.ts";
import { callRoute, statusAndBodyOf, retryAfter } from "../support/http/call.ts";
import { openStream } from "../support/http/event-stream.ts";
import { MailTrap } from "../support/network/mail-trap.ts";
import { countStatuses, makeList } from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";
import { insertGameData } from "./insert-game-data.ts";
import { insertUserRows } from "./insert-user-rows.ts";
import { columnsOfPlayers, columnsOfUsers, tablesWithRowsOf } from "./own-rows.ts";

let trap: MailTrap;
let server: TestServer;
let worker: TestWorker;
beforeAll(async () => {
  trap = await MailTrap.start();
  server = await startTestServer({ environment: { SMTP_URL: trap.url } });
  worker = await startTestWorker(server, ["mail"]);
  // A second administrator, so that the tests' administrator is not the last one.
  await createTestUser(server, { role: "admin" });
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
  await trap.stop();
});

const download = ({ headers }: Pick<SignedIn, "headers">, at = server) =>
  callRoute(at, "GET /auth/me/export", { headers });
const deleteOwnAccount = ({ headers }: Pick<SignedIn, "headers">, body: object = {}) =>
  callRoute(server, "DELETE /auth/me/account", { headers, body });

describe("GET /auth/me/export", () => {
  it("includes every column that refers to a user or player, except the columns that this test lists as left out", async () => {
    const { sequelize } = server.context;
    const parts = Object.values(exportParts).flatMap(({ columns }): string[] => [...columns]);
    const named = [...parts, ...Object.keys(unexportedColumns)];
    const stored = [...(await columnsOfUsers(sequelize)), ...(await columnsOfPlayers(sequelize))];
    expect(named.toSorted()).toEqual(stored.toSorted());
  });

  it("answers everything stored about the caller, as a file that caches may not keep", async () => {
    const user = await signIn(server, { email: "own@example.org" });
    await insertUserRows(user.userId, "own", server);
    const steamId = await insertGameData(user.userId, "own", server);
    const answered = await download(user);
    expect(answered.status).toBe(200);
    expect(answered.headers.get("content-disposition")).toBe(
      'attachment; filename="own-data.json"',
    );
    expect(answered.headers.get("cache-control")).toBe("private, no-store");
    expect(answered.body).toEqual({
      exported_at: anyTime,
      account: {
        id: user.userId,
        username: user.username,
        email: "own@example.org",
        role: "player",
        totp_enabled: false,
        has_password: true,
        staff_since: null,
        created_at: anyTime,
        updated_at: anyTime,
      },
      sessions: [
        {
          id: expect.any(Number),
          device_name: "own phone",
          created_at: anyTime,
          last_used_at: anyTime,
          expires_at: anyTime,
          ended_at: anyTime,
          ended_by: "logout",
        },
      ],
      trusted_devices: [
        {
          id: expect.any(Number),
          label: "own browser",
          created_at: anyTime,
          last_used_at: anyTime,
          expires_at: anyTime,
        },
      ],
      identities: [
        {
          provider: "discord",
          name: "own provider",
          issuer: "https://own.example",
          subject: "own subject",
          linked_at: anyTime,
        },
      ],
      push_devices: [
        {
          id: expect.any(Number),
          device_name: "own device",
          origin: "https://push.test",
          created_at: anyTime,
          last_success_at: null,
          last_error: null,
          failing: false,
        },
      ],
      subscriptions: [{ stream: "news.post" }],
      market_searches: [
        {
          id: expect.any(Number),
          name: "own search",
          query: { q: "own wish" },
          enabled: true,
          created_at: anyTime,
          last_match_at: null,
        },
      ],
      recovery_codes: { remaining: 1, total: 1, created_at: anyTime },
      password_resets: [{ created_at: anyTime, expires_at: anyTime, used_at: null }],
      invites: [
        {
          id: expect.any(Number),
          sent_by_you: true,
          email: null,
          role: "player",
          created_at: anyTime,
          expires_at: anyTime,
          accepted_at: null,
          revoked_at: null,
        },
        {
          id: expect.any(Number),
          sent_by_you: false,
          email: "own@invited.example",
          role: "player",
          created_at: anyTime,
          expires_at: anyTime,
          accepted_at: anyTime,
          revoked_at: null,
        },
      ],
      api_tokens: [
        {
          id: expect.any(Number),
          name: "own bot",
          role: "editor",
          scopes: ["shard:read"],
          created_at: anyTime,
          expires_at: null,
          last_used_at: null,
          revoked_at: null,
        },
      ],
      links: [{ account: "own account", linkedAt: anyTime }],
      steam_links: [
        { steamId: expect.stringMatching(/^7656119\d{10}$/), name: "own steam", linkedAt: anyTime },
      ],
      survival_grants: [
        {
          kind: "permission",
          steamId: expect.stringMatching(/^7656119\d{10}$/),
          value: "own node",
          source: "manual",
          createdAt: anyTime,
          expiresAt: null,
          revokedAt: null,
        },
        {
          kind: "membership",
          steamId,
          value: "own group",
          source: "manual",
          createdAt: anyTime,
          expiresAt: null,
          revokedAt: null,
        },
      ],
      survival_sightings: [
        {
          serverId: expect.any(Number),
          steamId,
          name: "own sighting",
          firstSeenAt: anyTime,
          lastSeenAt: anyTime,
        },
      ],
      survival_reports: [
        {
          id: expect.any(Number),
          serverId: expect.any(Number),
          steamId,
          type: null,
          subject: "own sent",
          message: "own sent",
          reportedAt: anyTime,
        },
      ],
      survival_presence: [
        { serverId: expect.any(Number), steamId, name: "own presence", connectedAt: anyTime },
      ],
      survival_clans: [
        {
          serverId: expect.any(Number),
          clan: "own clan",
          steamId,
          name: "own member",
          role: "own role",
          joinedAt: anyTime,
          lastSeenAt: null,
          disbandedAt: null,
        },
      ],
      survival_tallies: [
        {
          wipeId: expect.any(Number),
          steamId,
          name: "own tally",
          isStaff: false,
          updatedAt: anyTime,
        },
      ],
      survival_scores: [
        {
          wipeId: expect.any(Number),
          steamId,
          stat: "playersKilled",
          value: 12,
          reachedAt: anyTime,
        },
      ],
      survival_npc_kills: [
        { wipeId: expect.any(Number), steamId, profileKey: "own boss", kills: 3, lastAt: anyTime },
      ],
      survival_participations: [
        {
          serverId: expect.any(Number),
          method: "damage",
          steamId,
          name: "own fighter",
          firstAt: 1_764_542_400_000,
          lastAt: 1_764_542_460_000,
          score: 12.5,
        },
      ],
      survival_kits: [
        {
          id: expect.any(Number),
          serverId: expect.any(Number),
          server: "own server",
          steamId,
          kit: "own kit of the game",
          uses: 1,
          used: 0,
          state: "pending",
          createdAt: anyTime,
          deliveredAt: null,
          expiresAt: null,
        },
      ],
      survival_chat: [
        {
          id: expect.any(Number),
          serverId: expect.any(Number),
          steamId,
          t: 1_764_542_400_000,
          message: "own words",
        },
      ],
      houses: [],
      offices: {
        governorOf: ["own city"],
        guildsLed: [{ guildId: user.userId, name: "own guild", abbr: "X" }],
      },
      characters_online: [
        {
          serial: expect.stringMatching(/^0x[0-9a-f]{8}$/),
          name: "own character",
          map: "Felucca",
          x: 1,
          y: 2,
          z: 3,
          region: null,
        },
      ],
      bans: [
        {
          id: expect.any(Number),
          account: "own account",
          reason: "own ban",
          issuedAt: anyTime,
          expiresAt: null,
          endedAt: null,
        },
      ],
      event_participations: [
        { run_id: expect.any(Number), at: anyTime, rewards: [{ kit: "own kit", count: 1 }] },
      ],
      sales: [],
      posts: [
        {
          id: expect.any(Number),
          slug: `post-of-user-${user.userId}`,
          title: "A post",
          status: "draft",
          created_at: anyTime,
          updated_at: anyTime,
        },
      ],
      wiki_revisions: [
        {
          page_id: expect.any(Number),
          revision: 1,
          title: "A page",
          note: null,
          created_at: anyTime,
        },
      ],
      appeals: [
        {
          appeal: {
            id: expect.any(Number),
            game: "shard",
            account: "own account",
            punishment: {
              id: expect.any(Number),
              kind: "ban",
              reason: "own ban",
              issued_at: anyTime,
              expires_at: null,
            },
            reason: "own appeal",
            state: "rejected",
            assignee: null,
            created_at: anyTime,
            updated_at: anyTime,
            decided_at: null,
            decision_note: null,
            messages_count: 0,
          },
          messages: [
            {
              id: expect.any(Number),
              author: "player",
              body: "own message",
              created_at: anyTime,
            },
          ],
        },
      ],
      activity: [
        {
          id: expect.any(Number),
          at: anyTime,
          action: "user.email_changed",
          by_you: false,
          address: null,
          detail: { note: "own changed" },
        },
        {
          id: expect.any(Number),
          at: anyTime,
          action: "shard.kick",
          by_you: true,
          address: "own address",
          detail: null,
        },
        {
          id: expect.any(Number),
          at: anyTime,
          action: "auth.login.success",
          by_you: true,
          address: "127.0.0.1",
          detail: { amr: ["pwd"], via: "web" },
        },
      ],
    });
  });

  it("contains no secret, no hash and nothing of other users", async () => {
    const { sequelize } = server.context;
    const [one, other] = [await signIn(server), await signIn(server)];
    const tables = new Set(
      (await columnsOfUsers(sequelize)).map((name) => name.replace(/\..*/, "")),
    );
    for (const [label, { userId }] of Object.entries({ theirs: other, mine: one })) {
      await insertUserRows(userId, label, server);
      await insertGameData(userId, label, server);
      expect(await tablesWithRowsOf(userId, sequelize)).toEqual([...tables].toSorted());
    }
    const { text } = await download(one);
    expect(text).toContain("mine");
    expect(text).not.toContain("theirs");
    expect(text).not.toContain(other.username);
    expect(text).not.toMatch(/secret|hash|\$2b\$|mine victim|\\\\x/);
  });

  it("contains every line of a long activity log once, newest first", async () => {
    const user = await signIn(server);
    const line = { actorId: user.userId, action: "test.line" };
    const target = { targetType: "user", targetId: String(user.userId) };
    const lines = makeList(3500, (n) => ({ ...line, ...(n % 3 > 0 && target) }));
    await server.context.models.ActivityEntry.bulkCreate(lines);
    const { activity } = (await download(user)).body as { activity: { id: number }[] };
    const stored = await server.context.models.ActivityEntry.findAll({
      where: { actorId: user.userId },
      order: [["id", "desc"]],
    });
    expect(activity.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
    expect(activity).toHaveLength(3501);
  });

  it("contains every chat message of the caller's Steam accounts, newest first", async () => {
    const user = await signIn(server);
    const steamId = "76561198000000001";
    const { SteamLink, SurvivalEvent } = server.context.models;
    await SteamLink.create({ steamId, userId: user.userId, name: "x" });
    const { id: serverId } = await buildSurvivalServer(server);
    const frame = { serverId, epoch: "x", kind: "player.chat" };
    const chattingUser = (n: number) => (n % 3 > 0 ? steamId : "76561198000000002");
    const frames = makeList(3500, (at) => at + 1).map((n) => {
      const payload = { steamId: chattingUser(n), message: `line ${n}` };
      return { ...frame, seq: n, t: n, payload };
    });
    await SurvivalEvent.bulkCreate(frames);
    const { survival_chat: said } = (await download(user)).body as {
      survival_chat: { message: string }[];
    };
    const lines = makeList(3500, (at) => 3500 - at).filter((n) => n % 3 > 0);
    expect(said.map(({ message }) => message)).toEqual(lines.map((n) => `line ${n}`));
  });

  it("contains every sale of the caller's game accounts, whatever the case of the account name", async () => {
    const user = await signIn(server);
    await buildShardLink(server, { account: "Seller", userId: user.userId });
    const frame = { source: "shard", epoch: "sales", kind: "vendor.sale", reach: "staff" } as const;
    const sell = (count: number, ownerAcct: string) => {
      const payload = { item: { itemType: "Katana", amount: 1 }, price: count, ownerAcct };
      const sales = makeList(count, (at) => {
        const n = at + 1;
        return { ...frame, seq: count + n, t: Math.floor(n / 2), payload };
      });
      return server.context.models.ShardEvent.bulkCreate(sales);
    };
    await sell(1200, "SELLER");
    await sell(3, "somebody else");
    const { sales } = (await download(user)).body as { sales: object[] };
    expect(sales).toHaveLength(1200);
    expect(sales[0]).toEqual({
      t: 600,
      itemType: "Katana",
      amount: 1,
      price: 1200,
      commission: null,
      ownerAcct: "SELLER",
    });
  });

  it("answers three of thirty simultaneous requests, and 429 for the rest of the day", async () => {
    const environment = { RL_EXPORT_MAX: "3", RL_EXPORT_WINDOW: "1d" };
    const limited = await startTestServer({ database: server.database, environment });
    const { headers } = await signIn(server);
    const answers = await Promise.all(makeList(30, () => download({ headers }, limited)));
    expect(countStatuses(answers)).toEqual({ 200: 3, 429: 27 });
    const refused = await download({ headers }, limited);
    expect(statusAndBodyOf(refused)).toEqual([429, { error: "Too many requests" }]);
    expect(retryAfter(refused)).toBeGreaterThan(86_000);
    await limited.stop();
  });

  it("sends no body to HEAD, and the server survives a client that disconnects midway", async () => {
    const user = await signIn(server);
    const { headers } = user;
    const head = await fetch(`${server.url}/api/v1/auth/me/export`, { method: "HEAD", headers });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const line = { actorId: user.userId, action: "test.line", address: "x".repeat(500) };
    await server.context.models.ActivityEntry.bulkCreate(makeList(20_000, () => line));
    await new Promise<void>((resolve, reject) => {
      const request = http.get(`${server.url}/api/v1/auth/me/export`, { headers }, (response) => {
        response.once("data", () => request.destroy());
        response.once("close", resolve);
        response.on("error", () => undefined);
      });
      request.on("error", reject);
    });
    expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(200);
  });
});

describe("DELETE /auth/me/account", () => {
  it("requires the password or a code if the sign-in is old", async () => {
    const strict = await startTestServer({
      database: server.database,
      environment: { REAUTH_AFTER: "1s" },
    });
    const user = await createEnrolledUser(server);
    const { headers, password, secret, userId } = user;
    await sleep(2_100);
    const ask = (body: object) => callRoute(strict, "DELETE /auth/me/account", { headers, body });
    expect(statusAndBodyOf(await ask({}))).toEqual([
      403,
      { error: "Send your password or a code to confirm" },
    ]);
    expect((await ask({ password: "another one" })).headers.get("x-error-code")).toBe(
      "wrong_password",
    );
    expect((await ask({ code: "000000" })).headers.get("x-error-code")).toBe("wrong_code");
    expect((await ask({ password, code: codeOf(secret) })).status).toBe(400);
    expect((await ask({ password: 7 })).status).toBe(400);
    expect((await ask([])).status).toBe(400);
    expect((await callRoute(strict, "GET /auth/me", { headers })).status).toBe(200);
    await forgetSteps(server, userId);
    expect(statusAndBodyOf(await ask({ code: codeOf(secret) }))).toEqual([200, { id: userId }]);
    const other = await signIn(server);
    await sleep(2_100);
    const answered = await callRoute(strict, "DELETE /auth/me/account", {
      headers: other.headers,
      body: { password: other.password },
    });
    expect(statusAndBodyOf(answered)).toEqual([200, { id: other.userId }]);
    await strict.stop();
  });

  it("ends all sessions, tokens and streams at once, and mails the user", async () => {
    const user = await signIn(server, { email: "leaver@example.org" });
    const { username, password, headers } = user;
    const login = { body: { username, password } };
    const app = (await callRoute(server, "POST /auth/mobile/login", login)).body as {
      accessToken: string;
      refreshToken: string;
    };
    const stream = await openStream(`${server.url}/api/v1/public/shard/stream`, { headers });
    await stream.waitFor(({ event }) => event === "hello");
    const answered = await deleteOwnAccount(user);
    expect(statusAndBodyOf(answered)).toEqual([200, { id: user.userId }]);
    expect(answered.setCookies.map((line) => line.split(";")[0])).toEqual(["session=", "gh_td="]);
    expect((await stream.waitFor(({ event }) => event === "bye")).data).toEqual({
      reason: "revoked",
    });
    await stream.ended;
    const bearer = { authorization: `Bearer ${app.accessToken}` };
    const { refreshToken } = app;
    const statuses = [
      await callRoute(server, "GET /auth/me", { headers }),
      await callRoute(server, "GET /auth/me", { headers: bearer }),
      await callRoute(server, "POST /auth/mobile/refresh", { body: { refreshToken } }),
      await callRoute(server, "POST /auth/login", login),
      await callRoute(server, "POST /auth/mobile/login", login),
      await deleteOwnAccount(user),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401]);
    const [mail] = await trap.to("leaver@example.org");
    expect(mail?.subject).toBe("Guildhall: Your account was deleted");
  });

  it("keeps only the user's id, in the activity log and on written content, and unlinks game accounts", async () => {
    const { sequelize } = server.context;
    const user = await signIn(server, { email: "gone@example.org", username: "gone-for-good" });
    await insertUserRows(user.userId, "gone", server);
    expect((await deleteOwnAccount(user)).status).toBe(200);
    expect(await tablesWithRowsOf(user.userId, sequelize)).toEqual([
      "activity_log",
      "posts",
      "wiki_pages",
      "wiki_revisions",
    ]);
    const found: string[] = [];
    for (const name of await tableNames(server)) {
      const rows = await query(
        server,
        `select 1 from "${name}" t where t::text ~ 'gone (?!victim)' or t::text ~ 'gone-for-good|gone@'`,
      );
      if (rows.length > 0) found.push(name);
    }
    // Bans and reports belong to the game, so they stay when the user is unlinked.
    expect(found).toEqual(["punishments", "survival_reports"]);
    const { userId: actorId } = user;
    const theirs = { [Op.or]: [{ actorId }, { targetId: String(actorId) }] };
    const columns = ["action", "actorId", "address", "detail"] as const;
    expect(await activityOf(server, theirs, columns)).toEqual([
      { action: "auth.login.success", actorId, address: null, detail: {} },
      { action: "shard.kick", actorId, address: null, detail: { reason: "gone victim" } },
      { action: "user.email_changed", actorId: null, address: null, detail: {} },
      { action: "user.deleted", actorId, address: null, detail: {} },
    ]);
    const [job] = await jobsOf(server, "shard.unlink-user", { userId: user.userId });
    expect(job?.data).toEqual({ userId: user.userId });
  });

  it("removes game account names from the user's lines in the activity log", async () => {
    const [user, admin] = [await signIn(server), await signIn(server, { role: "admin" })];
    const { userId, headers } = user;
    const [account, steamId] = ["Willow", "76561198000000077"];
    await buildShardLink(server, { account, userId });
    await server.context.models.Punishment.create({
      account,
      accountKey: account.toLowerCase(),
      reason: "Speed hack",
      confirmedAt: new Date(),
    });
    const appeal = { account, reason: "I was fishing by hand, and can prove it." };
    const opened = await callRoute(server, "POST /player/appeals", { headers, body: appeal });
    await buildSteamLink(server, { steamId, userId });
    const granted = await callRoute(server, "POST /admin/survival/permissions/grants", {
      headers: admin.headers,
      body: { kind: "permission", userId, value: "kits.vip" },
    });
    const unlinked = await callRoute(server, `DELETE /player/survival/link/${steamId}`, {
      headers,
    });
    const done = [opened, granted, unlinked, await deleteOwnAccount(user)].map(
      ({ status }) => status,
    );
    expect(done).toEqual([201, 201, 200, 200]);
    const logOf = async (actor: number) =>
      (await callRoute(server, `GET /admin/activity?actor=${actor}`, { headers: admin.headers }))
        .body as {
        activity: { action: string; detail: object }[];
      };
    const { activity } = await logOf(userId);
    expect(activity.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["appeal.opened", "survival.permission.revoked"]),
    );
    expect(activity.map(({ detail }) => detail)).toEqual(activity.map(() => ({})));
    // Entries of other users about the deleted user keep their details.
    expect((await logOf(admin.userId)).activity).toContainEqual(
      expect.objectContaining({
        action: "survival.permission.granted",
        detail: expect.objectContaining({ steamId, value: "kits.vip" }),
      }),
    );
  });

  it("changes nothing if one step fails", async () => {
    const user = await signIn(server);
    await query(
      server,
      `create function refuse_line() returns trigger language plpgsql as
       'begin if new.action = ''user.deleted'' then raise exception ''refused''; end if; return new; end'`,
    );
    await query(
      server,
      "create trigger refuse before insert on activity_log for each row execute function refuse_line()",
    );
    const { headers } = user;
    const failed = await callRoute(server, "DELETE /auth/me/account", { headers, mayFail: true });
    await query(server, "drop trigger refuse on activity_log");
    expect(failed.status).toBe(500);
    expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(200);
    expect(await jobsOf(server, "shard.unlink-user", { userId: user.userId })).toEqual([]);
  });

  it("answers 409 to the last administrator", async () => {
    await server.context.models.User.update({ role: "editor" }, { where: { role: "admin" } });
    const last = await signIn(server, { role: "admin" });
    const answered = await deleteOwnAccount(last);
    expect(statusAndBodyOf(answered)).toEqual([409, { error: "Last admin" }]);
    expect(answered.headers.get("x-error-code")).toBe("last_admin");
    await createTestUser(server, { role: "admin" });
    expect(statusAndBodyOf(await deleteOwnAccount(last))).toEqual([200, { id: last.userId }]);
  });
});
