import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { SurvivalServer } from "../../models/survival/survival-server.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { query } from "../support/database/query.ts";
import { activityOf, buildAppeal } from "../support/factories/site.ts";
import { buildSteamLink, buildSurvivalServer } from "../support/factories/survival.ts";
import { callRoute, type CallOptions, statusAndBodyOf } from "../support/http/call.ts";
import { type Follower, type PushSite, startPushSite } from "../support/push/push-site.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";
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

let site: PushSite;
let worker: TestWorker;
let mona: Follower;
let admin: Follower;
let editor: SignedIn;
let oak: SurvivalServer;
let key: string;

beforeAll(async () => {
  site = await startPushSite();
  worker = await startTestWorker(site.server, ["push"], { everySeconds: 0.5 });
  mona = await site.follower(["survival.report"], { role: "moderator" });
  admin = await site.follower(["survival.staff"], { role: "admin" });
  editor = await signIn(site.server, { role: "editor" });
});
afterAll(async () => {
  await worker.stop();
  await site.stop();
});
beforeEach(async () => {
  await query(site.server, "delete from survival_reports returning id");
  oak = await buildSurvivalServer(site.server);
  key = await makeReportKey(site.server, oak.id, admin.user);
});

const as = ({ headers }: SignedIn, route: string, options: CallOptions = {}) =>
  callRoute(site.server, route, { headers, ...options });

const send = (...given: Parameters<typeof formDataOf>) =>
  sendForm(site.server, key, formOf(formDataOf(...given)));

interface SeenReport {
  readonly id: number;
  readonly state: string;
  readonly subject: string;
}

interface ReportPage {
  readonly reports: readonly SeenReport[];
  readonly counts: Readonly<Record<string, number>>;
  readonly next?: number;
}

async function list(search = ""): Promise<ReportPage> {
  const { status, body } = await as(mona.user, `GET /admin/survival/reports${search}`);
  expect(status).toBe(200);
  return body as ReportPage;
}

const subjectsOf = async (search: string) =>
  (await list(search)).reports.map(({ subject }) => subject);

async function sendAndFind(...given: Parameters<typeof formDataOf>): Promise<number> {
  await send(...given);
  return (await list()).reports[0]?.id ?? 0;
}

const named = ({ user: { userId, username } }: Follower) => ({ id: userId, username });

describe("the list of reports", () => {
  it("contains each report with its server and players, newest first", async () => {
    await send();
    await send({ target: null, type: null, subject: "an idea", message: "" }, { Type: 4 });
    expect(await list()).toEqual({
      reports: [
        expect.objectContaining({ subject: "an idea", target: null, type: "idea", message: "" }),
        {
          id: expect.any(Number),
          server: { id: oak.id, name: oak.name },
          state: "open",
          reporter: anna,
          target: bert,
          type: "cheat",
          subject: "flying",
          message: "He flies over the dome.",
          reportedAt: expect.any(String),
          seenAt: null,
          seenBy: null,
          closedAt: null,
          closedBy: null,
          note: null,
        },
      ],
      counts: { open: 2, seen: 0, closed: 0 },
    });
  });

  it("is filtered by server, state and players, and read in pages", async () => {
    const one = await sendAndFind({ subject: "one" });
    await send({ subject: "two", reporter: bert, target: anna });
    const former = oak.id;
    oak = await buildSurvivalServer(site.server);
    key = await makeReportKey(site.server, oak.id, admin.user);
    await send({ subject: "three" });
    await as(mona.user, `POST /admin/survival/reports/${one}/seen`);
    expect(await subjectsOf(`?server=${former}`)).toEqual(["two", "one"]);
    expect(await subjectsOf("?state=open")).toEqual(["three", "two"]);
    expect(await subjectsOf("?state=seen")).toEqual(["one"]);
    expect(await subjectsOf("?state=closed")).toEqual([]);
    expect(await subjectsOf(`?target=${bert.steamId}`)).toEqual(["three", "one"]);
    expect(await subjectsOf(`?reporter=${bert.steamId}&state=open`)).toEqual(["two"]);
    const first = await list("?limit=2");
    expect(first.reports.map(({ subject }) => subject)).toEqual(["three", "two"]);
    const last = await list(`?limit=2&before=${first.next}`);
    expect(last.reports.map(({ subject }) => subject)).toEqual(["one"]);
    expect(last).not.toHaveProperty("next");
    expect(first.counts).toEqual({ open: 2, seen: 1, closed: 0 });
    expect(last.counts).toEqual({ open: 2, seen: 1 });
  });

  it("is refused to everyone except administrators and moderators", async () => {
    const id = await sendAndFind();
    const player = await signIn(site.server);
    const routes = [
      "GET /admin/survival/reports",
      `GET /admin/survival/reports/${id}`,
      `POST /admin/survival/reports/${id}/seen`,
      `POST /admin/survival/reports/${id}/close`,
      `POST /admin/survival/reports/${id}/reopen`,
      `GET /admin/users/${player.userId}/survival/reports`,
    ];
    for (const who of [editor, player]) {
      const answers = await Promise.all(routes.map((route) => as(who, route)));
      expect(answers.map(({ status }) => status)).toEqual(routes.map(() => 403));
    }
    expect((await as(admin.user, `GET /admin/survival/reports/${id}`)).status).toBe(200);
    expect((await as(mona.user, "GET /admin/survival/reports/999999")).status).toBe(404);
  });
});

describe("a report", () => {
  const change = (id: number, verb: string, body?: object, who: SignedIn = mona.user) =>
    as(who, `POST /admin/survival/reports/${id}/${verb}`, body ? { body } : {});

  it("keeps the first staff member who marked it as seen, is closed with a note and reopened", async () => {
    const id = await sendAndFind();
    const seen = await change(id, "seen");
    expect(seen.body).toMatchObject({ report: { state: "seen", seenBy: named(mona) } });
    const again = await change(id, "seen", undefined, admin.user);
    expect(statusAndBodyOf(again)).toEqual(statusAndBodyOf(seen));
    const closed = await change(id, "close", { note: " Banned. " }, admin.user);
    expect(closed.body).toMatchObject({
      report: { state: "closed", seenBy: named(mona), closedBy: named(admin), note: "Banned." },
    });
    expect(statusAndBodyOf(await change(id, "seen"))).toEqual(statusAndBodyOf(closed));
    const reopened = await change(id, "reopen");
    expect(reopened.body).toMatchObject({
      report: { state: "open", seenBy: null, closedAt: null, closedBy: null, note: "Banned." },
    });
    const refused = await change(id, "reopen");
    expect([refused.status, refused.headers.get("x-error-code")]).toEqual([409, "report_open"]);
    const closedAgain = await change(id, "close");
    expect(closedAgain.body).toMatchObject({
      report: { state: "closed", seenBy: named(mona), closedBy: named(mona), note: "Banned." },
    });
    const target = { targetType: "survival_report", targetId: String(id) };
    const lines = await activityOf(site.server, target, ["action", "actorId", "detail"]);
    const detail = { serverId: oak.id };
    const [byMona, byAdmin] = [mona.user.userId, admin.user.userId];
    expect(lines).toEqual([
      { action: "survival.report.seen", actorId: byMona, detail },
      { action: "survival.report.closed", actorId: byAdmin, detail },
      { action: "survival.report.reopened", actorId: byMona, detail },
      { action: "survival.report.closed", actorId: byMona, detail },
    ]);
  });

  it("is closed by only one of several concurrent requests", async () => {
    const id = await sendAndFind();
    const closes = [mona.user, admin.user, mona.user, admin.user].map((who) =>
      change(id, "close", {}, who),
    );
    const statuses = (await Promise.all(closes)).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409]);
  });

  it("can be changed by each staff member except the one whom it is about", async () => {
    const steamId = "76561198000000077";
    await buildSteamLink(site.server, { steamId, userId: mona.user.userId });
    await send({ target: { steamId, name: "Mona" } });
    const { body } = await as(admin.user, "GET /admin/survival/reports");
    const id = (body as ReportPage).reports[0]?.id ?? 0;
    for (const verb of ["seen", "close", "reopen"]) {
      const answer = await change(id, verb);
      expect([answer.status, answer.headers.get("x-error-code")]).toEqual([403, "own_account"]);
    }
    expect((await change(id, "close", {}, admin.user)).status).toBe(200);
  });

  it("is neither shown nor announced to the moderator whom it is about", async () => {
    const [own, former] = ["76561198000000078", "76561198000000079"];
    const [nora, otto] = await Promise.all(
      [0, 1].map(() => site.follower(["survival.report"], { role: "moderator" })),
    );
    if (!nora || !otto) throw new Error("there are no moderators");
    await buildSteamLink(site.server, { steamId: own, userId: nora.user.userId });
    await site.server.context.models.ActivityEntry.create({
      actorId: nora.user.userId,
      action: "survival.link.removed",
      targetType: "user",
      targetId: String(nora.user.userId),
      detail: { steamId: former },
    });
    await send({ target: { steamId: own, name: "Nora" }, subject: "now" });
    await send({ target: { steamId: former, name: "Nora" }, subject: "before" });
    await send({ target: null, subject: "idea" });
    await site.settled();
    const page = async (who: Follower, search = "") =>
      (await as(who.user, `GET /admin/survival/reports${search}`)).body as ReportPage;
    const all = (await page(otto)).reports;
    expect(all.map(({ subject }) => subject)).toEqual(["idea", "before", "now"]);
    expect((await page(nora)).reports).toEqual(all.slice(0, 1));
    expect((await page(nora, `?target=${own}`)).reports).toEqual([]);
    expect((await page(admin)).reports).toEqual(all);
    for (const { id, subject } of all) {
      const { status } = await as(nora.user, `GET /admin/survival/reports/${id}`);
      expect(status).toBe(subject === "idea" ? 200 : 404);
    }
    const ofUser = `GET /admin/users/${nora.user.userId}/survival/reports`;
    expect((await as(nora.user, ofUser)).body).toEqual({ count: 0, newest: [] });
    expect((await as(otto.user, ofUser)).body).toMatchObject({ count: 1 });
    expect([nora, otto].map(({ device }) => device.received.length)).toEqual([1, 3]);
  });

  it("stays closed when the account of the staff member who closed it is deleted", async () => {
    const id = await sendAndFind();
    const leaving = await signIn(site.server, { role: "moderator" });
    await change(id, "close", {}, leaving);
    await site.server.context.models.User.destroy({ where: { id: leaving.userId } });
    const read = await as(mona.user, `GET /admin/survival/reports/${id}`);
    expect(read.body).toMatchObject({ report: { state: "closed", closedBy: null, seenBy: null } });
  });
});

describe("staff", () => {
  it("are notified once of each report if they subscribe, for forms and events", async () => {
    const before = [mona, admin].map(({ device }) => device.received.length);
    await send();
    await storeSurvivalFrames(site.server.context, oak.id, [
      survivalFrame("player.reported", usualReport, { t: Date.now() }),
      survivalFrame("player.reported", { ...usualReport, subject: "link" }, { t: Date.now() }),
    ]);
    await site.settled();
    const { reports } = await list();
    const sent = mona.device.payloads.slice(before[0]);
    expect(sent).toEqual(
      reports
        .map(({ id }) =>
          expect.objectContaining({ stream: "survival.report", ref: `report:${id}` }),
        )
        .toReversed(),
    );
    expect(JSON.stringify(sent)).not.toMatch(/Anna|Bert|flying/);
    const counted = await query(
      site.server,
      `select part, kept::integer as kept from survival_storage_days
       where server_id = $1 and part like '%ushes'`,
      oak.id,
    );
    expect(counted).toEqual([{ part: "reportPushes", kept: 2 }]);
    expect(admin.device.received.length).toBe(before[1]);
    const editorChoice = { body: { streams: ["survival.report"] } };
    const refused = await as(editor, "PUT /auth/me/notifications/subscriptions", editorChoice);
    expect(refused.status).toBe(400);
  });

  it("can let an event run wait for a report, and the run receives no text of the report", async () => {
    await send();
    const told = await query(
      site.server,
      "select variables from event_news where trigger = 'survival.player.reported' and source = $1",
      `survival:${oak.id}`,
    );
    expect(told).toEqual([
      { variables: { serverId: oak.id, serverName: oak.name, aboutPlayer: true } },
    ]);
  });

  it("see the numbers of open and seen reports on the dashboard", async () => {
    const id = await sendAndFind();
    await send({ subject: "other" });
    await as(mona.user, `POST /admin/survival/reports/${id}/seen`);
    const { body } = await as(mona.user, "GET /admin/dashboard");
    expect(body).toMatchObject({ reports: { open: 1, seen: 1 } });
  });

  it("see the reports about a user on the user's page and with the user's appeal", async () => {
    const steamId = "76561198000000088";
    const player = await signIn(site.server);
    const appeal = await buildAppeal(site.server, { userId: player.userId, account: "cora" });
    const none = { count: 0, newest: [] };
    const ofUser = `GET /admin/users/${player.userId}/survival/reports`;
    expect(statusAndBodyOf(await as(mona.user, ofUser))).toEqual([200, none]);
    await buildSteamLink(site.server, { steamId, userId: player.userId });
    const target = { steamId, name: "Cora" };
    for (let number = 1; number <= 12; number += 1) await send({ target, subject: `n ${number}` });
    await send({ reporter: target, subject: "sent by Cora" });
    const read = await as(mona.user, ofUser);
    const { count, newest } = read.body as { count: number; newest: SeenReport[] };
    expect([count, newest.length, newest[0]?.subject]).toEqual([12, 10, "n 12"]);
    const withAppeal = await as(mona.user, `GET /admin/appeals/${appeal.id}`);
    expect(withAppeal.body).toMatchObject({ reports: { count: 12, newest } });
    const own = await as(player, `GET /player/appeals/${appeal.id}`);
    expect(own.body).not.toHaveProperty("reports");
    expect((await as(mona.user, "GET /admin/users/999999/survival/reports")).status).toBe(404);
  });
});

describe("a player", () => {
  it("exports the reports that the player sent, and no reports of other players", async () => {
    const steamId = "76561198000000099";
    const player = await signIn(site.server);
    await buildSteamLink(site.server, { steamId, userId: player.userId });
    const dora = { steamId, name: "Dora" };
    await send({ reporter: dora, subject: "sent" });
    await send({ target: dora, subject: "about Dora" });
    const { body } = await as(player, "GET /auth/me/export");
    const { survival_reports: reports } = body as { survival_reports: unknown[] };
    expect(reports).toEqual([
      {
        id: expect.any(Number),
        serverId: oak.id,
        steamId,
        type: "cheat",
        subject: "sent",
        message: "He flies over the dome.",
        reportedAt: expect.any(String),
      },
    ]);
  });
});
