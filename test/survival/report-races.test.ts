import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import { parseFormReport, receiveFormReport } from "../../shared/survival/reports/store-report.ts";
import { lockSource } from "../../shared/survival/server-locks.ts";
import { findReportKey } from "../../shared/survival/servers/server-keys.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { countDeadlocks } from "../support/database/deadlocks.ts";
import { query } from "../support/database/query.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { type ApiAnswer, callRoute } from "../support/http/call.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { repeatRace, makeList } from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import {
  formDataOf,
  formOf,
  makeReportKey,
  sendForm,
  usualReport,
} from "../support/survival/game-reports.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

let one: TestServer;
let other: TestServer;
let admin: SignedIn;

const environment = { SURVIVAL_BOUNDS: "reports=12,reportsOfPlayer=12" };

beforeAll(async () => {
  one = await startTestServer({ environment });
  other = await startTestServer({ environment, database: one.database });
  admin = await signIn(one, { role: "admin" });
});
afterAll(async () => {
  await other.stop();
  await one.stop();
});

/** Creates a server. @returns its id and its report key */
async function newServer() {
  const { id } = await buildSurvivalServer(one);
  return { id, key: await makeReportKey(one, id, admin) };
}

const countOf = async (serverId: number) => {
  const [row] = await query<{ count: number }>(
    one,
    "select count(*)::integer as count from survival_reports where server_id = $1",
    serverId,
  );
  return row?.count;
};

const deleteKey = (server: TestServer, id: number) =>
  callRoute(server, `DELETE /admin/survival/servers/${id}/report-key`, {
    headers: admin.headers,
    body: {},
  });

describe("a report that arrives at the same moment in two processes", () => {
  it(
    "is stored once, whether as a form or over the link",
    repeatRace(async () => {
      const { id, key } = await newServer();
      const form = formOf(formDataOf());
      const frame = survivalFrame("player.reported", usualReport, { t: Date.now() });
      const answers = await Promise.all([
        sendForm(one, key, form),
        sendForm(other, key, form),
        storeSurvivalFrames(one.context, id, [frame]),
        sendForm(other, key, form),
      ]);
      expect(answers.flatMap((each) => (each && "status" in each ? [each.status] : []))).toEqual([
        200, 200, 200,
      ]);
      expect(await countOf(id)).toBe(1);
      const [told] = await query(
        one,
        `select count(*)::integer as count from event_news
         where trigger = 'survival.player.reported' and source = $1`,
        `survival:${id}`,
      );
      expect(told).toEqual({ count: 1 });
    }, 10),
  );

  it(
    "is not stored beyond the limit of a day",
    repeatRace(async () => {
      const { id, key } = await newServer();
      const frames = makeList(10, (index) =>
        survivalFrame("player.reported", { ...usualReport, subject: `l ${index}` }),
      );
      await Promise.all([
        storeSurvivalFrames(one.context, id, frames),
        ...makeList(10, (index) =>
          sendForm(index % 2 ? one : other, key, formOf(formDataOf({ subject: `f ${index}` }))),
        ),
      ]);
      expect(await countOf(id)).toBe(12);
    }, 5),
  );
});

describe("forms that arrive while another transaction has the lock of a server's source", () => {
  it("wait with one database connection for each server, and are refused if too many forms wait", async () => {
    const [busy, free] = [await newServer(), await newServer()];
    const { sequelize } = other.context;
    const locked = Promise.withResolvers<void>();
    const freed = Promise.withResolvers<void>();
    const holding = inTransaction(sequelize, async (transaction) => {
      await lockSource(busy.id, transaction);
      locked.resolve();
      await freed.promise;
    });
    await locked.promise;
    const send = (key: string, subject: string) =>
      sendForm(one, key, formOf(formDataOf({ subject })));
    const sent = makeList(60, (index) => send(busy.key, `n ${index}`));
    await waitUntilLockWaits(one);
    const refused = await firstOf(sent, 10);
    expect(refused.map(({ status, headers }) => [status, headers.get("x-error-code")])).toEqual(
      refused.map(() => [503, "busy"]),
    );
    expect((await send(free.key, "free")).status).toBe(200);
    const waiting = await query(
      one,
      `select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(waiting).toHaveLength(1);
    freed.resolve();
    await holding;
    const answers = await Promise.all(sent);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
  });
});

/** Waits until this many answers have arrived. @returns them */
async function firstOf(sent: readonly Promise<ApiAnswer>[], count: number): Promise<ApiAnswer[]> {
  const arrived: ApiAnswer[] = [];
  for (const each of sent) void each.then((answer) => arrived.push(answer));
  await waitUntil("the answers have arrived", () => arrived.length >= count);
  return arrived.slice(0, count);
}

describe("an administrator who made a report key", () => {
  it(
    "is deleted while forms arrive, without a deadlock",
    repeatRace(async () => {
      const { id } = await buildSurvivalServer(one);
      const maker = await signIn(one, { role: "admin" });
      const key = await makeReportKey(one, id, maker);
      await one.context.models.PushSubscription.create({
        userId: maker.userId,
        stream: "survival.report",
      });
      const before = await countDeadlocks(one);
      const [, ...answers] = await Promise.all([
        one.context.models.User.destroy({ where: { id: maker.userId } }),
        ...makeList(6, (index) =>
          sendForm(index % 2 ? one : other, key, formOf(formDataOf({ subject: `n ${index}` }))),
        ),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(await countDeadlocks(one)).toBe(before);
    }, 10),
  );
});

describe("a report key that is deleted", () => {
  it("while a form arrives, stores nothing afterwards", async () => {
    const { id, key } = await newServer();
    const admitted = await findReportKey(key, one.context);
    expect((await deleteKey(other, id)).status).toBe(200);
    if (!admitted) throw new Error("the key was refused before its deletion");
    const report = parseFormReport(JSON.stringify(formDataOf()));
    const error = await receiveFormReport(admitted, report, one.context).catch(
      (thrown: unknown) => thrown,
    );
    expect(error instanceof AppError && error.errorCode).toBe("report_key_unknown");
    expect(await countOf(id)).toBe(0);
  });

  it(
    "at the same moment as forms arrive, leaves as many reports as were confirmed",
    repeatRace(async () => {
      const { id, key } = await newServer();
      const [deleted, ...answers] = await Promise.all([
        deleteKey(other, id),
        ...makeList(8, (index) =>
          sendForm(index % 2 ? one : other, key, formOf(formDataOf({ subject: `n ${index}` }))),
        ),
      ]);
      expect(deleted.status).toBe(200);
      const confirmed = answers.filter(({ status }) => status === 200).length;
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(8 - confirmed);
      expect(await countOf(id)).toBe(confirmed);
    }, 10),
  );

  it(
    "together with its server, leaves neither a report nor a deadlock",
    repeatRace(async () => {
      const { id, key } = await newServer();
      const route = `DELETE /admin/survival/servers/${id}?purge=true`;
      const [deleted, ...answers] = await Promise.all([
        callRoute(other, route, { headers: admin.headers }),
        ...makeList(8, (index) =>
          sendForm(index % 2 ? one : other, key, formOf(formDataOf({ subject: `n ${index}` }))),
        ),
      ]);
      expect(deleted.status).toBe(200);
      expect(answers.every(({ status }) => status === 200 || status === 401)).toBe(true);
      expect(await countOf(id)).toBe(0);
    }, 10),
  );
});
