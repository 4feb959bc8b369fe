import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { buildShiftedClockEnv } from "../support/clock/shifted-clock.ts";
import { query } from "../support/database/query.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { callRoute } from "../support/http/call.ts";
import { type ApiProcess, startApiProcess } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startSurvivalGame, type SurvivalGameSite } from "../support/survival/survival-game.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

const hour = 3_600_000;

let server: TestServer;
let admin: SignedIn;
let game: SurvivalGameSite;
let ahead: ApiProcess;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  game = await startSurvivalGame(server);
  ahead = await startApiProcess(server.database, buildShiftedClockEnv(2 * hour));
});
afterAll(async () => {
  await ahead?.stop();
  await game.simulator.stop();
  await server.stop();
});

const base = "/admin/survival";
const anna = "76561198000000001";

async function ask(request: string, body?: object): Promise<Record<string, unknown>> {
  const { headers } = admin;
  const { status, body: said } = await callRoute(ahead, request, {
    headers,
    ...(body && { body }),
  });
  expect([status < 300, said]).toEqual([true, said]);
  return said as Record<string, unknown>;
}

/**
 * Runs a statement that returns times.
 * @returns their number, and whether all are in the past by the database's clock
 */
async function haveBeen(times: string): Promise<unknown> {
  const text = `select count(*)::integer as count, bool_and(at <= clock_timestamp()) as been
    from (${times}) as found (at)`;
  return (await query(server, text))[0];
}

describe("an API process whose clock is two hours ahead", () => {
  it("creates and changes a grant that ends in an hour, and stamps it by the database clock", async () => {
    const expiresAt = new Date(Date.now() + hour).toISOString();
    const given = { kind: "permission", steamId: anna, value: "kits.vip", expiresAt };
    const { grant } = await ask(`POST ${base}/permissions/grants`, given);
    const { id } = grant as { id: number };
    await ask(`PUT ${base}/permissions/grants/${id}`, { reason: "winner" });
    const told = "select to_timestamp(t / 1000.0) from event_news where source = 'survival'";
    expect(await haveBeen(told)).toEqual({ count: 1, been: true });
  });

  it("enqueues a push that starts at once", async () => {
    await ask(`POST ${base}/permissions/grants`, {
      kind: "permission",
      steamId: anna,
      value: "kits.soon",
    });
    const text = `select count(*) > 0 as asked,
        bool_and(start_after < clock_timestamp() + interval '1 minute') as soon
      from pgboss.job where name = 'survival.push'`;
    expect(await query(server, text)).toEqual([{ asked: true, soon: true }]);
  });

  it("stamps ledger entries and hidden events by the database clock", async () => {
    await ask(`POST ${base}/announce`, { message: "Hello" });
    const ended = "select confirmed_at from survival_ledger where what = 'announce'";
    expect(await haveBeen(ended)).toEqual({ count: 1, been: true });
    const { id } = game.server;
    const said = { steamId: anna, name: "Anna", channel: "global", message: "Hello" };
    await storeSurvivalFrames(server.context, id, [survivalFrame("player.chat", said)]);
    const [line] = await storedRows(server.context.models.SurvivalEvent, ["id"]);
    await ask(`PUT ${base}/servers/${id}/events/${line?.id}`, { hidden: true });
    const hidden = "select hidden_at from survival_events where hidden_at is not null";
    expect(await haveBeen(hidden)).toEqual({ count: 1, been: true });
  });

  it("shows a next wipe until the database clock reaches its time", async () => {
    const { id } = game.server;
    const wipeAt = new Date(Date.now() + hour).toISOString();
    await ask(`PUT ${base}/servers/${id}`, { listed: true, wipeRule: "once", wipeAt });
    const shown = { nextWipe: wipeAt, nextWipeSource: "at" };
    const [listed, one, wipes, all, own] = await Promise.all([
      ask("GET /public/survival/servers"),
      ask(`GET /public/survival/servers/${id}`),
      ask(`GET /public/survival/servers/${id}/wipes`),
      ask(`GET ${base}/servers`),
      ask(`GET ${base}/servers/${id}`),
    ]);
    for (const list of [listed, all]) expect(list).toMatchObject({ servers: [shown] });
    for (const alone of [one, own]) expect(alone).toMatchObject({ server: shown });
    expect(wipes["nextWipe"]).toBe(wipeAt);
  });

  it("stamps the data that it reads from a game by the database clock", async () => {
    const { id } = game.server;
    const { checkedAt } = await ask(`GET ${base}/servers/${id}/integrations`);
    const { document } = await ask(`GET ${base}/config/${id}/files/Backpacks`);
    const { readAt } = document as { readAt: string };
    const been = "select greatest($1::timestamptz, $2::timestamptz) <= clock_timestamp() as been";
    expect(await query(server, been, checkedAt, readAt)).toEqual([{ been: true }]);
  });
});
