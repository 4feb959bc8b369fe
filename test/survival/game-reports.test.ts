import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { SurvivalServer } from "../../models/survival/survival-server.ts";
import { pruneReports } from "../../shared/survival/reports/store-report.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { query } from "../support/database/query.ts";
import { activityOf } from "../support/factories/site.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { forgetPlugins } from "../support/plugin/linked-plugin.ts";
import { itInLongLane } from "../support/runner/lane.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import {
  anna,
  bert,
  formDataOf,
  formOf,
  makeReportKey,
  sendForm,
  usualReport,
} from "../support/survival/game-reports.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let admin: SignedIn;
let oak: SurvivalServer;
let key: string;

beforeAll(async () => {
  server = await startTestServer({ environment: { SURVIVAL_BOUNDS: "reports=40" } });
  admin = await signIn(server, { role: "admin" });
  await useNewServer();
});
afterAll(() => server.stop());

/** Creates a server without a link, and a report key for it. */
async function useNewServer(): Promise<void> {
  oak = await buildSurvivalServer(server);
  key = await makeReportKey(server, oak.id, admin);
}

const send = (data: object | string, headers?: Record<string, string>) =>
  sendForm(server, key, formOf(data), headers);

const storedReports = (serverId = oak.id) =>
  query(
    server,
    `select via, reporter_steam_id as "reporter", reporter_name as "reporterName",
       target_steam_id as "target", target_name as "targetName", type, subject, message
     from survival_reports where server_id = $1 order by id`,
    serverId,
  );

const usualRow = {
  reporter: anna.steamId,
  reporterName: "Anna",
  target: bert.steamId,
  targetName: "Bert",
  type: "cheat",
  subject: "flying",
  message: "He flies over the dome.",
};

const frameOf = (given: object = {}, at: object = {}) =>
  survivalFrame("player.reported", { ...usualReport, ...given }, { t: Date.now(), ...at });

const storeFrame = (given: object = {}, at: object = {}) =>
  storeSurvivalFrames(server.context, oak.id, [frameOf(given, at)]);

describe("a report key", () => {
  it("is shown once with two lines for the console, and is replaced by the next key", async () => {
    const path = `/admin/survival/servers/${oak.id}/report-key`;
    const made = await callRoute(server, `POST ${path}`, { headers: admin.headers, body: {} });
    const { key: shown } = made.body as { key: string };
    const url = `http://localhost:3000/api/v1/plugin/reports/${shown}`;
    expect(statusAndBodyOf(made)).toEqual([
      201,
      {
        key: expect.stringMatching(/^ghr_[\w-]{43}$/),
        url,
        commands: [`server.reportsServerEndpoint "${url}"`, "server.writecfg"],
      },
    ]);
    expect((await send(formDataOf())).status).toBe(401);
    key = shown;
    expect((await send(formDataOf())).status).toBe(200);
    const read = await callRoute(server, `GET /admin/survival/servers/${oak.id}`, {
      headers: admin.headers,
    });
    expect(read.text).not.toContain(shown);
    expect(read.body).toMatchObject({
      server: { reportKey: { createdAt: expect.any(String), lastUsedAt: expect.any(String) } },
    });
    const rows = await query(server, "select * from survival_report_keys");
    expect(JSON.stringify(rows)).not.toContain(shown);
    const lines = await activityOf(server, { action: "survival.server.report-key.create" }, [
      "detail",
    ]);
    expect(JSON.stringify(lines)).not.toContain("ghr_");
  });

  it("is refused after it was deleted, and cannot be deleted twice", async () => {
    await useNewServer();
    const path = `/admin/survival/servers/${oak.id}/report-key`;
    const deleted = await callRoute(server, `DELETE ${path}`, { headers: admin.headers, body: {} });
    expect(statusAndBodyOf(deleted)).toEqual([200, { id: oak.id }]);
    const again = await callRoute(server, `DELETE ${path}`, { headers: admin.headers, body: {} });
    expect(again.status).toBe(404);
    expect((await send(formDataOf())).status).toBe(401);
    expect(await storedReports()).toEqual([]);
    const moderator = await signIn(server, { role: "moderator" });
    const refused = await callRoute(server, `POST ${path}`, {
      headers: moderator.headers,
      body: {},
    });
    expect(refused.status).toBe(403);
    await useNewServer();
  });

  it("stores reports only for its own server, whatever the form says", async () => {
    const pine = await buildSurvivalServer(server);
    await makeReportKey(server, pine.id, admin);
    const data = formDataOf({ subject: "own server" }, { ServerId: pine.id });
    expect((await send(data)).status).toBe(200);
    expect(await storedReports(pine.id)).toEqual([]);
    expect(await storedReports()).toHaveLength(1);
  });

  it("is refused by every other route", async () => {
    const headers = { authorization: `Bearer ${key}` };
    const routes = [
      "GET /admin/survival/reports",
      `GET /admin/survival/servers/${oak.id}`,
      "GET /auth/me/account",
      "POST /plugin/events",
      "GET /plugin/commands",
    ];
    const answers = await Promise.all(routes.map((route) => callRoute(server, route, { headers })));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    await forgetPlugins(server);
  });
});

describe("the form of a report", () => {
  it("is stored without data about the reporter's computer, for each kind of link", async () => {
    for (const kind of ["sidecar", "plugin", "webrcon"] as const) {
      await useNewServer();
      await oak.update({ kind });
      const answer = await send(formDataOf());
      expect(statusAndBodyOf(answer)).toEqual([200, { ok: true }]);
      expect(await storedReports()).toEqual([{ via: "form", ...usualRow }]);
    }
    const everything = await query(server, "select * from survival_reports");
    expect(JSON.stringify(everything)).not.toMatch(/COMPUTER|NVIDIA|76561198999999999/);
  });

  it("is stored as a feedback with the name of its type if it has no target", async () => {
    await useNewServer();
    const data = formDataOf({ target: null, type: null }, { Type: 4, Image: "/9j/4AAQ" });
    await send(data);
    const unknownType = formDataOf({ subject: "odd", target: null, type: null }, { Type: 12 });
    await send(unknownType);
    expect(await storedReports()).toMatchObject([
      { target: null, targetName: null, type: "idea" },
      { target: null, type: "12" },
    ]);
  });

  it("is read even if its Steam ids are numbers instead of strings", async () => {
    await useNewServer();
    const text = JSON.stringify(formDataOf())
      .replace(`"${anna.steamId}"`, anna.steamId)
      .replace(`"${bert.steamId}"`, bert.steamId);
    await send(text);
    expect(await storedReports()).toEqual([{ via: "form", ...usualRow }]);
  });

  it("is stored with plain texts of limited length", async () => {
    await useNewServer();
    const message = `a\u0000b\ud800 <color=red>c</color> ${"x".repeat(3_000_000)}`;
    const data = formDataOf({
      reporter: { ...anna, name: `\u202E${"A".repeat(500)}` },
      target: { ...bert, name: "\u0000" },
      subject: "s".repeat(1_000_000),
      type: `t${"t".repeat(1_000_000)}`,
      message,
    });
    expect((await send(data)).status).toBe(200);
    const [row] = (await storedReports()) as Record<string, string>[];
    expect(row).toMatchObject({ reporterName: "A".repeat(64), targetName: "" });
    expect(row?.["subject"]).toHaveLength(256);
    expect(row?.["type"]).toHaveLength(64);
    expect(row?.["message"]).toHaveLength(2_000);
    expect(row?.["message"]).toMatch(/^a b c x+$/);
  });

  it("is refused if its media type is wrong, or its data is missing or malformed", async () => {
    await useNewServer();
    const json = { "content-type": "application/json" };
    const packed = { "content-encoding": "gzip" };
    const answers = await Promise.all([
      send(formDataOf(), json),
      send(formDataOf(), packed),
      sendForm(server, key, "data=%zz"),
      sendForm(server, key, "userid=7"),
      send("{"),
      send("[]"),
      send(`${"[".repeat(5_000)}${"]".repeat(5_000)}`),
      send(formDataOf({}, { AppInfo: {} })),
      send(formDataOf({ reporter: { steamId: "7", name: "npc" } })),
    ]);
    expect(answers.map(({ status, headers }) => [status, headers.get("x-error-code")])).toEqual([
      [415, "unsupported_media_type"],
      [415, "unsupported_media_type"],
      [400, "malformed_body"],
      [400, "malformed_body"],
      [400, "malformed_body"],
      [400, "malformed_body"],
      [400, "malformed_body"],
      [400, "invalid_request"],
      [400, "invalid_request"],
    ]);
    expect(await storedReports()).toEqual([]);
  });

  it("is refused before it is read if the key is unknown", async () => {
    const score = () =>
      query(server, "select coalesce(sum(score), 0)::float8 as sum from ip_reputation");
    const before = await score();
    const large = formOf(formDataOf({}, { Image: "x".repeat(9_000_000) }));
    const made = `ghr_${"x".repeat(43)}`;
    const answers = await Promise.all([
      sendForm(server, made, large),
      sendForm(server, "short", formOf(formDataOf())),
      sendForm(server, "%00", formOf(formDataOf())),
    ]);
    expect(answers.map(({ headers }) => headers.get("x-error-code"))).toEqual([
      "report_key_unknown",
      "report_key_unknown",
      "report_key_unknown",
    ]);
    const tooLarge = await sendForm(server, key, large);
    expect(tooLarge.status).toBe(413);
    expect(await score()).toEqual(before);
  });

  it("is refused if a web page sends it, and no page can read the answer", async () => {
    const foreign = await send(formDataOf(), { origin: "https://elsewhere.example" });
    expect(foreign.status).toBe(403);
    const own = await send(formDataOf({ subject: "page" }), { origin: "http://localhost:3000" });
    expect(own.headers.get("access-control-allow-origin")).toBeNull();
    const preflight = await callRoute(server, `OPTIONS /plugin/reports/${key}`, {
      headers: { origin: "http://localhost:3000", "access-control-request-method": "POST" },
    });
    expect(preflight.status).toBe(404);
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("is refused without a copy of its key in the answer and in the metrics", async () => {
    const accept = "application/problem+json";
    const refused = await sendForm(server, key, "data={", { accept });
    const unknownPath = await callRoute(server, `GET /plugin/reports/${key}`, {
      headers: { accept },
    });
    expect([refused.status, unknownPath.status]).toEqual([400, 404]);
    const metrics = await server.registry.metrics();
    expect(refused.text + unknownPath.text + metrics).not.toContain(key);
    expect(metrics).toContain("/api/v1/plugin/reports/:key");
  });

  it("is stored even if thirty forms arrive at once, each with a screenshot of a megabyte", async () => {
    expect(await sendThirty(1_000_000)).toBe(30);
  });

  itInLongLane(
    "is stored even if thirty forms arrive at once, each with almost eight megabytes",
    async () => {
      expect(await sendThirty(7_500_000)).toBe(30);
    },
  );
});

/** Sends thirty reports with screenshots at once. @returns the number of stored reports */
async function sendThirty(bytes: number): Promise<number> {
  await useNewServer();
  const Image = `${"aZ09".repeat(16)}/+`.repeat(bytes / 70);
  const form = formOf(formDataOf({}, { Image }));
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      sendForm(
        server,
        key,
        form
          .replace("flying", `report ${index}`)
          .replace(anna.steamId, String(BigInt(anna.steamId) + BigInt(index))),
      ),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  return (await storedReports()).length;
}

describe("the requests with report keys", () => {
  it("are counted for each server, separately from requests with unknown keys from the same address", async () => {
    const few = await startTestServer({ environment: { RL_REPORT_MAX: "3" } });
    try {
      const by = await signIn(few, { role: "admin" });
      const keys = await Promise.all(
        [0, 1].map(async () => makeReportKey(few, (await buildSurvivalServer(few)).id, by)),
      );
      const statuses = async (used: string, count: number) => {
        const found: number[] = [];
        for (let sent = 0; sent < count; sent += 1) {
          found.push((await sendForm(few, used, formOf(formDataOf()))).status);
        }
        return found;
      };
      expect(await statuses(`ghr_${"x".repeat(43)}`, 5)).toEqual([401, 401, 401, 429, 429]);
      expect(await statuses(keys[0] ?? "", 4)).toEqual([200, 200, 200, 429]);
      expect(await statuses(keys[1] ?? "", 1)).toEqual([200]);
    } finally {
      await few.stop();
    }
  });
});

describe("a report that arrives twice", () => {
  it("is stored once within a minute, in either order", async () => {
    await useNewServer();
    await send(formDataOf());
    await send(formDataOf());
    await storeFrame();
    expect(await storedReports()).toEqual([{ via: "form", ...usualRow }]);
    await useNewServer();
    await storeFrame();
    await send(formDataOf());
    await storeFrame();
    expect(await storedReports()).toEqual([{ via: "link", ...usualRow }]);
  });

  it("is stored as a separate report for each reported player", async () => {
    await useNewServer();
    await send(formDataOf());
    await send(formDataOf({ target: { steamId: "76561198000000003", name: "Cora" } }));
    await storeFrame({ target: { steamId: "76561198000000003", name: "Cora" } });
    await storeFrame({ target: { steamId: "76561198000000004", name: "Dan" } });
    await send(formDataOf({ target: null }));
    expect((await storedReports()).map((row) => (row as { target: string }).target)).toEqual([
      bert.steamId,
      "76561198000000003",
      "76561198000000004",
      null,
    ]);
  });

  it("has the same type as a form and as an event", async () => {
    await useNewServer();
    const idea = { target: null, subject: "idea" };
    await send(formDataOf({ ...idea, type: null }, { Type: 4 }));
    await storeFrame({ ...idea, type: "4" });
    await storeFrame({ ...idea, type: "2", subject: "link" });
    expect(await storedReports()).toMatchObject([
      { type: "idea", via: "form" },
      { type: "cheat", via: "link" },
    ]);
  });

  it("is stored once even if the clock of the game is wrong", async () => {
    await useNewServer();
    await send(formDataOf());
    await storeFrame({}, { t: Date.now() - 3_600_000 });
    expect(await storedReports()).toHaveLength(1);
  });

  it("is stored again if a minute has passed, or if the reporter, the text or the server differs", async () => {
    await useNewServer();
    await send(formDataOf());
    await send(formDataOf({ reporter: bert }));
    await send(formDataOf({ message: "again" }));
    await send(formDataOf({ subject: "again" }));
    await storeFrame({}, { t: Date.now() - 90_000, replay: true });
    expect(await storedReports()).toHaveLength(4);
    await storeFrame({ message: "late" }, { t: Date.now() - 300_000, replay: true });
    await storeFrame({ message: "late" }, { t: Date.now() - 200_000, replay: true });
    expect(await storedReports()).toHaveLength(6);
    await query(
      server,
      `update survival_reports set created_at = created_at - interval '61 seconds',
         reported_at = reported_at - interval '61 seconds' where server_id = $1`,
      oak.id,
    );
    await send(formDataOf());
    expect(await storedReports()).toHaveLength(7);
    const former = oak.id;
    await useNewServer();
    await send(formDataOf());
    expect(await storedReports()).toHaveLength(1);
    expect(await storedReports(former)).toHaveLength(7);
  });

  it("is stored as two events for staff, but as one report", async () => {
    await useNewServer();
    await storeFrame();
    await storeFrame();
    const [events] = await query(
      server,
      "select count(*)::integer as count from survival_events where server_id = $1",
      oak.id,
    );
    expect(events).toEqual({ count: 2 });
    expect(await storedReports()).toHaveLength(1);
  });
});

describe("the reports of a server", () => {
  it("are limited per day, as forms and events together, and the rest is counted", async () => {
    await useNewServer();
    const frames = Array.from({ length: 60 }, (_, index) =>
      frameOf({
        subject: `n ${index}`,
        reporter: { ...anna, steamId: `765611980000010${10 + index}` },
      }),
    );
    await storeSurvivalFrames(server.context, oak.id, frames);
    expect(statusAndBodyOf(await send(formDataOf({ subject: "beyond" })))).toEqual([
      200,
      { ok: true },
    ]);
    expect(await storedReports()).toHaveLength(40);
    const read = await callRoute(server, `GET /admin/survival/servers/${oak.id}`, {
      headers: admin.headers,
    });
    const { link } = (read.body as { server: { link: { leftOut: unknown[] } } }).server;
    expect(link.leftOut).toEqual([{ part: "reports", count: 21, lastAt: expect.any(String) }]);
  });

  it("are limited per player and day, so that other players can still report", async () => {
    await useNewServer();
    const frames = Array.from({ length: 15 }, (_, index) => frameOf({ subject: `n ${index}` }));
    await storeSurvivalFrames(server.context, oak.id, frames);
    for (let number = 1; number <= 10; number += 1) {
      expect((await send(formDataOf({ subject: `form ${number}` }))).status).toBe(200);
    }
    await send(formDataOf({ reporter: bert, target: anna }));
    const reporters = (await storedReports()).map((row) => (row as { reporter: string }).reporter);
    expect(reporters).toEqual([...Array.from({ length: 20 }, () => anna.steamId), bert.steamId]);
    const read = await callRoute(server, `GET /admin/survival/servers/${oak.id}`, {
      headers: admin.headers,
    });
    const { link } = (read.body as { server: { link: { leftOut: unknown[] } } }).server;
    expect(link.leftOut).toEqual([
      { part: "reportsOfPlayer", count: 5, lastAt: expect.any(String) },
    ]);
  });

  it("are deleted after a year", async () => {
    await useNewServer();
    await send(formDataOf());
    await send(formDataOf({ subject: "old" }));
    await query(
      server,
      `update survival_reports set created_at = now() - interval '366 days'
       where server_id = $1 and subject = 'old'`,
      oak.id,
    );
    expect(await pruneReports(server.context)).toBe(1);
    expect(await storedReports()).toMatchObject([{ subject: "flying" }]);
  });

  it("are deleted with the server, together with its key", async () => {
    await useNewServer();
    await send(formDataOf());
    const route = `DELETE /admin/survival/servers/${oak.id}?purge=true`;
    expect((await callRoute(server, route, { headers: admin.headers })).status).toBe(200);
    expect((await send(formDataOf())).status).toBe(401);
    expect(await storedReports()).toEqual([]);
    await useNewServer();
  });
});
