import { Writable } from "node:stream";

import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { consoleStore } from "../../shared/survival/webrcon/console-store.ts";
import { type ConsoleSimulator, startConsole } from "../simulator/console/console-simulator.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { query } from "../support/database/query.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startSurvivalIngest } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let admin: SignedIn;
let game: ConsoleSimulator;
let logged = "";
const sink = new Writable({
  write: (chunk: Buffer, _encoding, done) => {
    logged += chunk.toString();
    done();
  },
});
const log = pino({ level: "trace" }, sink);
let ingests: { stop(): Promise<void> }[] = [];

const anna = "76561198000000001";

beforeAll(async () => {
  server = await startTestServer({ log });
  admin = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await deleteAll(server, "SurvivalServer");
  game = await startConsole();
});
afterEach(async () => {
  await Promise.all(ingests.map((ingest) => ingest.stop()));
  ingests = [];
  await game.close();
});

const startIngest = async () => {
  const ingest = await startSurvivalIngest({ ...server.context, log });
  ingests.push(ingest);
  return ingest;
};

const as = (route: string, body?: object) =>
  callRoute(server, route, { headers: admin.headers, ...(body && { body }) });

/** Links the console with one request of an administrator. @returns the id of the server */
async function linkConsole(fields: object = {}): Promise<number> {
  const { port: rconPort, password: rconPassword } = game;
  const link = { kind: "webrcon", rconHost: "127.0.0.1", rconPort, rconPassword };
  const made = await as("POST /admin/survival/servers", {
    name: "Emberfall",
    enabled: true,
    ...link,
    ...fields,
  });
  if (made.status !== 201) throw new Error(made.text);
  return (made.body as { server: { id: number } }).server.id;
}

interface ShownServer {
  readonly online: boolean;
  readonly players: number | null;
  readonly link: { readonly status: string; readonly error: string | null };
}

const readServer = async (id: number): Promise<ShownServer> =>
  ((await as(`GET /admin/survival/servers/${id}`)).body as { server: ShownServer }).server;

const untilOnline = (id: number) =>
  waitUntil("the server is online", async () => (await readServer(id)).online);

const untilConnected = (id: number) =>
  waitUntil("the console takes commands", async () => {
    const sql = `select 1 from plugin_sessions where source = 'survival:' || $1::integer
      and wait_id is not null and alive_until > clock_timestamp()`;
    return (await query(server, sql, id)).length > 0;
  });

describe("a server that is linked by its console", () => {
  it("shows its players after one request, and executes kicks, bans and unbans", async () => {
    game.join(anna, "Anna");
    await startIngest();
    const id = await linkConsole();
    await untilOnline(id);
    await untilConnected(id);
    expect(await readServer(id)).toMatchObject({ players: 1, link: { status: "connected" } });
    const kicked = await as(`POST /admin/survival/servers/${id}/kick`, {
      steamId: anna,
      reason: 'Language"; quit',
    });
    expect([kicked.status, kicked.body]).toEqual([200, { steamId: anna }]);
    expect(game.world.players.has(anna)).toBe(false);
    const body = { steamId: anna, reason: "Aimbot", durationSec: 3_600 };
    expect((await as(`POST /admin/survival/servers/${id}/ban`, body)).status).toBe(200);
    const again = await as(`POST /admin/survival/servers/${id}/ban`, body);
    expect(again.headers.get("x-error-code")).toBe("player_already_banned");
    expect((await as(`GET /admin/survival/servers/${id}/bans`)).body).toMatchObject({
      bans: [{ steamId: anna, reason: "Aimbot", expiresAt: expect.any(String) }],
    });
    expect((await as(`POST /admin/survival/servers/${id}/unban`, { steamId: anna })).status).toBe(
      200,
    );
  });

  it("is tested over the connection of ingest", async () => {
    await startIngest();
    const id = await linkConsole();
    await untilOnline(id);
    await untilConnected(id);
    const before = game.dials;
    const tested = await as(`POST /admin/survival/servers/${id}/test`);
    expect(tested.body).toMatchObject({ ok: true, protocol: 13, hello: { worldReady: true } });
    expect(game.dials).toBe(before);
  });

  it("is tested over a new connection while it is disabled", async () => {
    const id = await linkConsole({ enabled: false });
    const tested = await as(`POST /admin/survival/servers/${id}/test`);
    expect(tested.body).toMatchObject({ ok: true, hello: expect.any(Object) });
    expect(game.dials).toBe(1);
  });

  it("is in error after a wrong password, is not dialed by a link test, and is dialed again when it is saved", async () => {
    await startIngest();
    const id = await linkConsole({ rconPassword: "a-wrong-password" });
    await waitUntil(
      "the password is refused",
      async () => (await readServer(id)).link.status === "error",
    );
    const before = game.dials;
    const tested = await as(`POST /admin/survival/servers/${id}/test`);
    expect(tested.body).toMatchObject({ ok: false, code: "AUTH" });
    expect(game.dials).toBe(before);
    await as(`PUT /admin/survival/servers/${id}`, { rconPassword: game.password });
    await untilOnline(id);
  });

  it("is dialed at most three times in five minutes with a wrong password, by tests and ingest together", async () => {
    const id = await linkConsole({ enabled: false, rconPassword: "a-wrong-password" });
    const test = async () => (await as(`POST /admin/survival/servers/${id}/test`)).body;
    const tests = await Promise.all([test(), test(), test(), test(), test()]);
    expect(tests.map((tested) => (tested as { code: string }).code)).toEqual(
      tests.map(() => "AUTH"),
    );
    expect(game.dials).toBe(3);
    await startIngest();
    await as(`PUT /admin/survival/servers/${id}`, { enabled: true, rconPassword: game.password });
    expect(await test()).toMatchObject({
      code: "AUTH",
      reason: expect.stringContaining("test it again in") as string,
    });
    expect(game.dials).toBe(3);
    const made = consoleStore(id, server.context.sequelize);
    expect((await made.reserveDial()).waitMs).toBeGreaterThan(60_000);
    // The limit of refused dials applies to one console address, so another address can be dialed.
    await as(`PUT /admin/survival/servers/${id}`, { rconHost: "localhost" });
    await untilOnline(id);
  });

  it("can be dialed again once the first of three dials is five minutes old, or one of them was not refused", async () => {
    const id = await linkConsole({ enabled: false });
    const dials = consoleStore(id, server.context.sequelize);
    const reserved = [];
    for (let dial = 0; dial < 3; dial += 1) reserved.push(await dials.reserveDial());
    expect((await dials.reserveDial()).waitMs).toBeGreaterThan(0);
    await reserved[1]?.free();
    expect((await dials.reserveDial()).waitMs).toBe(0);
    expect((await dials.reserveDial()).waitMs).toBeGreaterThan(0);
    await query(
      server,
      `update survival_servers set rcon_dials[1] = rcon_dials[1] - interval '5 minutes' where id = $1`,
      id,
    );
    expect((await dials.reserveDial()).waitMs).toBe(0);
  });

  it("keeps its game process and its players when another ingest process takes over", async () => {
    // Connection starts are rounded to 5 seconds. Each list of players yields the same value for this start.
    const connectedAt = Math.floor(Date.now() / 5_000) * 5_000 - 59_000;
    game.world.join(anna, "Anna", { connectedAt });
    const first = await startIngest();
    const id = await linkConsole();
    await untilOnline(id);
    const present = "select 1 from survival_presence where server_id = $1";
    await waitUntil("Anna is stored", async () => (await query(server, present, id)).length === 1);
    await query(
      server,
      "update survival_presence set connected_at = connected_at - interval '4 seconds' where server_id = $1",
      id,
    );
    const stored = () =>
      query(
        server,
        `select boot_id, state.online_since, state.hello ->> 'startedAt' as started_at, connected_at
         from ingest_sources join survival_servers server on source = 'survival:' || server.id
         join survival_server_states state on state.server_id = server.id
         join survival_presence presence on presence.server_id = server.id where server.id = $1`,
        id,
      );
    const before = await stored();
    expect(before).toHaveLength(1);
    await first.stop();
    ingests = ingests.filter((ingest) => ingest !== first);
    const asked = game.received.length;
    await startIngest();
    await untilConnected(id);
    const gaps =
      "select gaps::integer from ingest_sources where source = 'survival:' || $1::integer";
    await waitUntil("the list of players is asked for", () =>
      game.received.slice(asked).includes("playerlist"),
    );
    await waitUntil("the new connection is stored", async () => {
      const [found] = await query<{ gaps: number }>(server, gaps, id);
      return (found?.gaps ?? 0) > 0;
    });
    game.chat(anna, "After the takeover");
    const sql = "select 1 from survival_events where server_id = $1 and kind = 'player.chat'";
    await waitUntil("the chat is stored", async () => (await query(server, sql, id)).length > 0);
    expect(await stored()).toEqual(before);
  });

  it("is connected to one of two ingest processes, and to the other process once the first ends", async () => {
    const first = await startIngest();
    const id = await linkConsole();
    await untilConnected(id);
    await startIngest();
    expect(game.clients).toBe(1);
    await first.stop();
    ingests = ingests.filter((ingest) => ingest !== first);
    await untilConnected(id);
    const body = { steamId: anna, reason: "Aimbot" };
    expect((await as(`POST /admin/survival/servers/${id}/ban`, body)).status).toBe(200);
    expect(game.received.filter((line) => line.startsWith("banid")).length).toBe(1);
  });

  it("keeps its connection if a batch cannot be stored, and delivers the batch again", async () => {
    game.join(anna, "Anna");
    await startIngest();
    const id = await linkConsole();
    await untilConnected(id);
    await query(
      server,
      `create function refuse() returns trigger language plpgsql as
         'begin raise exception ''refused by a test''; end';
       create trigger refuse before insert on survival_events execute function refuse()`,
    );
    const before = logged.length;
    game.chat(anna, "Hello there");
    await waitUntil("a batch fails", () => logged.slice(before).includes("could not be stored"));
    await query(server, "drop trigger refuse on survival_events; drop function refuse()");
    const sql = "select payload from survival_events where server_id = $1 and kind = 'player.chat'";
    await waitUntil("the chat is stored", async () => (await query(server, sql, id)).length > 0);
    expect(await query(server, sql, id)).toMatchObject([{ payload: { message: "Hello there" } }]);
    expect(game.dials).toBe(1);
  });

  it("loses no batch if neither the batch can be stored nor the cursor read", async () => {
    game.join(anna, "Anna");
    await startIngest();
    const id = await linkConsole();
    await untilConnected(id);
    const before = logged.length;
    await query(server, "alter table ingest_sources rename column seq to other");
    game.chat(anna, "Hello there");
    await waitUntil("the position is not read", () =>
      logged.slice(before).includes("the stored position could not be read"),
    );
    await query(server, "alter table ingest_sources rename column other to seq");
    const sql = "select payload from survival_events where server_id = $1 and kind = 'player.chat'";
    await waitUntil("the chat is stored", async () => (await query(server, sql, id)).length > 0);
    expect(game.dials).toBe(1);
  });

  it("never has its password in a line of the log", () => {
    expect(logged).toContain("console connection ended");
    expect(logged).not.toContain(game.password);
    expect(logged).not.toContain("a-wrong-password");
  });
});
