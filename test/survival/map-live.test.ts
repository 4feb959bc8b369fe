import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { Channels } from "../../shared/platform/notify/channels.ts";
import { maskFrameSecrets } from "../../shared/survival/ingest/check-payload.ts";
import {
  type LiveFrame,
  joinLiveFrame,
  type LivePayload,
  splitLiveFrame,
} from "../../shared/survival/map/live-frame.ts";
import { LiveMaps, readLiveMap } from "../../shared/survival/map/live-maps.ts";
import { findServer } from "../../shared/survival/servers/read-servers.ts";
import { runSyncJob } from "../../shared/survival/sync/delivery/run-sync.ts";
import { readCallerAccess } from "../../shared/survival/visibility/visibility.ts";
import { npcPlacements } from "../simulator/survival/game/states.ts";
import type { SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { createSurvivalSimulatorPool } from "../simulator/survival/starting.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { tablesHolding } from "../support/database/tables-holding.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { type ApiAnswer, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { linkSurvivalServer } from "../support/survival/linked-survival.ts";
import { startSurvivalIngest } from "../support/survival/survival-ingest.ts";

const { start, stopAll } = createSurvivalSimulatorPool();
/** Two API processes of the same site. */
let server: TestServer;
let second: TestServer;
let admin: SignedIn;
let staff: SignedIn;
let player: SignedIn;
let game: SurvivalSimulator;
let ingest: { stop(): Promise<void> };
let id: number;

beforeAll(async () => {
  // The simulated game sends positions more often than the normal limit of one in five seconds.
  server = await startTestServer({ environment: { SURVIVAL_LIVE_INTERVAL: "0s" } });
  second = await startTestServer({ database: server.database });
  [admin, staff, player] = await Promise.all([
    signIn(server, { role: "admin" }),
    signIn(server, { role: "moderator" }),
    signIn(server, { role: "player" }),
  ]);
  game = await start({ clock: Date.now });
  id = (await linkSurvivalServer(server, game)).id;
  ingest = await startSurvivalIngest(server.context);
  await untilLinked();
});
afterAll(async () => {
  await ingest.stop();
  await second.stop();
  await server.stop();
  await stopAll();
});
beforeEach(async () => {
  await change("PUT /admin/survival/visibility", { layers: null, liveMap: null });
});

/** Waits until the server is linked. Positions sent before that are replayed and never shown. */
const untilLinked = () =>
  waitUntil("the server is linked", async () => {
    const { link, source } = await findServer(id, server.context);
    return link === "connected" && source.seq === game.buffer.head;
  });

const change = (route: string, body: object): Promise<ApiAnswer> =>
  callRoute(server, route, { headers: admin.headers, body });

const liveOn = (on: Pick<TestServer, "url">, { headers } = staff, given = id): Promise<ApiAnswer> =>
  callRoute(on, `GET /public/survival/servers/${given}/map/live`, { headers });

const nobody = { headers: {} } as SignedIn;

const anna = { steamId: "76561198000000001", name: "<color=red>Anna</color>", x: 1.5, z: -2 };
const moment = Date.UTC(2026, 0, 2, 12);
let moments = 0;

const frame = (given: Partial<LivePayload> = {}): LivePayload => {
  moments += 1;
  return {
    at: moment + moments,
    gameTime: 13.5,
    events: [{ id: "cargo-1", type: "cargoShip", x: 9_000, z: -12.25, since: moment }],
    players: [anna],
    bases: [{ id: "tc-1", x: 5, z: 6, owner: anna.steamId, auth: [anna.steamId] }],
    ...given,
  };
};

/** Sends positions and waits until both processes show them. */
async function tell(given: Partial<LivePayload> = {}, on = [server, second]): Promise<LivePayload> {
  const told = frame(given);
  game.emit("map.live", { ...told });
  for (const one of on) await untilAt(one, told.at);
  return told;
}

const untilAt = (on: TestServer, at: number | null, one = staff) =>
  waitUntil(
    () => `what was told at ${at} is known`,
    async () => {
      const { body } = await liveOn(on, one);
      const known = (body as { at: string | null }).at;
      return known === (at === null ? null : new Date(at).toISOString());
    },
  );

const iso = (ms: number): string => new Date(ms).toISOString();

const events = [
  {
    id: "cargo-1",
    type: "cargoShip",
    x: 9_000,
    z: -12.25,
    rotation: null,
    label: null,
    since: iso(moment),
  },
];

const players = [
  {
    ...anna,
    name: "Anna",
    rotation: null,
    health: null,
    clan: null,
    sleeping: false,
    dead: false,
  },
];

const bases = [
  { id: "tc-1", x: 5, z: 6, owner: anna.steamId, auth: [anna.steamId], protectedUntil: null },
];

const shown = (at: number | null, layers: object, given = {}) => ({
  at: at === null ? null : iso(at),
  stale: at === null,
  gameTime: at === null ? null : 13.5,
  hidden: false,
  audience: "anonymous",
  layers,
  ...given,
});

describe("GET /public/survival/servers/:id/map/live", () => {
  it("shows players and bases to staff only, and events to everyone, in every process", async () => {
    const { at } = await tell();
    for (const on of [server, second]) {
      // For anonymous callers, answers are cached for a second, so wait until they get the new answer.
      await untilAt(on, at, nobody);
      for (const one of [nobody, player]) {
        expect(statusAndBodyOf(await liveOn(on, one))).toEqual([200, shown(at, { events })]);
      }
      expect(statusAndBodyOf(await liveOn(on, staff))).toEqual([
        200,
        shown(at, { events, players, bases }),
      ]);
    }
  });

  it("shows open zones and living bosses among the events of the game", async () => {
    const arena = { key: "arena", name: "Arena", shape: { kind: "sphere", radius: 75 } };
    await change("POST /admin/survival/zones/presets", arena);
    const open = async (at: object | string): Promise<string> => {
      const body = { serverId: id, presetKey: "arena", at, durationSec: 600 };
      const opened = await change("POST /admin/survival/zones/open", body);
      if (opened.status >= 300) throw new Error(opened.text);
      return (opened.body as { lease: { leaseId: string } }).lease.leaseId;
    };
    const label = "outpost";
    const { x, z } = game.world.save.monuments.find((one) => one.label === label) ?? {};
    const leases = [await open({ x: 10.5, y: 0, z: -20 }), await open(label)];
    for (const [key, boss] of [
      ["warlord", true],
      ["guard", false],
    ] as const) {
      await change("POST /admin/survival/npcs", { key, displayName: `The ${key}`, boss });
      const placement = { name: key, profileKey: key, x: 1, y: 2, z: 3 };
      await change(`POST /admin/survival/npcs/servers/${id}/placements`, placement);
    }
    await runSyncJob({ serverId: id, name: "npcs" }, server.context);
    // The numbers of living NPCs are read from the database when positions arrive, so wait until
    // they are stored.
    const live = (count: number | null) =>
      waitUntil(`the game is known to have ${count} of each`, async () => {
        const route = `GET /admin/survival/npcs/servers/${id}/placements`;
        const { body } = await callRoute(server, route, { headers: admin.headers });
        const { placements } = body as { placements: { live: { alive: number | null } }[] };
        return placements.every((one) => one.live.alive === count);
      });
    await live(1);
    const { at } = await tell();
    const seen = (await liveOn(server)).body as { at: string; layers: { events: object[] } };
    const zone = { type: "zone", rotation: null, label: "arena", since: expect.any(String) };
    expect(seen).toMatchObject({ at: iso(at) });
    expect(seen.layers.events).toHaveLength(4);
    expect(seen.layers.events).toEqual(
      expect.arrayContaining([
        ...events,
        { ...zone, id: `zone-${leases[0]}`, x: 10.5, z: -20 },
        { ...zone, id: `zone-${leases[1]}`, x, z },
        {
          id: expect.stringMatching(/^boss-\d+$/),
          type: "boss",
          x: 1,
          z: 3,
          rotation: null,
          label: "The warlord",
          since: null,
        },
      ]),
    );
    const { npcs } = game.world;
    npcs.placements.clear();
    npcs.alive.clear();
    game.emit("npc.placements", npcPlacements(game.world));
    await live(null);
    for (const lease of leases) {
      await change(`POST /admin/survival/zones/leases/${lease}/close`, {});
    }
    await tell();
    expect((await liveOn(server)).body).toMatchObject({ layers: { events } });
  });

  it("forbids caching for every caller", async () => {
    for (const one of [nobody, staff]) {
      const { headers } = await liveOn(server, one);
      expect(headers.get("cache-control")).toBe("private, no-store");
    }
  });

  it("shows only the newest frame of each server", async () => {
    const other = await buildSurvivalServer(server);
    await tell();
    const { at } = await tell({ players: [] });
    expect((await liveOn(second)).body).toEqual(shown(at, { events, players: [], bases }));
    expect((await liveOn(second, staff, other.id)).body).toEqual(
      shown(null, { events: [], players: [], bases: [] }),
    );
  });

  it("shows frames whole, however large they are", async () => {
    const steamId = (index: number) => `76561198${String(index).padStart(9, "0")}`;
    const many = Array.from({ length: 250 }, (_, index) => ({
      steamId: steamId(index),
      name: `Ünïcödé 🪓 "quoted" ${index} ${Math.sin(index)}`,
      x: Math.sin(index) * 2_000,
      z: Math.cos(index) * 2_000,
      health: 100 * Math.abs(Math.sin(index * 7)),
    }));
    const auth = Array.from({ length: 400 }, (_, index) => steamId(index * 7_919));
    const { at } = await tell({
      players: many,
      bases: [{ id: "tc-1", x: 5, z: 6, auth }],
    });
    for (const on of [server, second]) {
      expect((await liveOn(on)).body).toEqual(
        shown(at, {
          events,
          players: many.map(({ name, ...one }) => ({ ...players[0], name, ...one })),
          bases: [{ ...bases[0], owner: null, auth }],
        }),
      );
    }
  });

  it("is complete after one frame in a process that has just started", async () => {
    await tell();
    const third = await startTestServer({ database: server.database });
    expect((await liveOn(third)).body).toEqual(shown(null, { events: [], players: [], bases: [] }));
    const { at } = await tell({}, [third]);
    expect((await liveOn(third)).body).toEqual(shown(at, { events, players, bases }));
    await third.stop();
  });

  it("continues after a restart of ingest, without the frames that were sent before the restart", async () => {
    const { at } = await tell();
    await ingest.stop();
    game.emit("map.live", { ...frame({ players: [] }) });
    ingest = await startSurvivalIngest(server.context);
    await untilLinked();
    expect((await liveOn(server)).body).toMatchObject({ at: iso(at) });
    const next = await tell();
    expect((await liveOn(second)).body).toEqual(shown(next.at, { events, players, bases }));
  });

  it("is empty and stale while the server is off, and shows nothing of an earlier game process", async () => {
    await tell();
    game.faults.trigger("away");
    await untilAt(second, null);
    expect((await liveOn(server)).body).toEqual(
      shown(null, { events: [], players: [], bases: [] }),
    );
    game.faults.trigger("back");
    await waitUntil("the game is back", async () => (await findServer(id, server.context)).online);
    expect((await liveOn(server)).body).toMatchObject({ at: null, stale: true });
    await tell();
    await change(`PUT /admin/survival/servers/${id}`, { enabled: false });
    await untilAt(server, null);
    await change(`PUT /admin/survival/servers/${id}`, { enabled: true });
    // Positions sent before ingest is connected again are too old to be shown, so send new ones until the map
    // shows some.
    await waitUntil("what the game tells is shown again", async () => {
      game.emit("map.live", { ...frame() });
      return ((await liveOn(server)).body as { at: string | null }).at !== null;
    });
  });

  it("hides all its layers from callers whose access level is below the audience", async () => {
    const { at } = await tell();
    await change("PUT /admin/survival/visibility", { liveMap: { audience: "player" } });
    const hidden = shown(at, {}, { hidden: true, audience: "player" });
    await waitUntil("it is hidden", async () => {
      const { body } = await liveOn(second, nobody);
      return (body as { hidden: boolean }).hidden;
    });
    for (const one of [nobody, player]) {
      expect(statusAndBodyOf(await liveOn(second, one))).toEqual([200, hidden]);
    }
    expect((await liveOn(second)).body).toMatchObject({ hidden: false, layers: { players } });
  });

  it("answers 404 to callers below staff if the live map is off, and to everyone for an unlisted server", async () => {
    const { at } = await tell();
    await change("PUT /admin/survival/visibility", { liveMap: { card: false } });
    await waitUntil("it is gone", async () => (await liveOn(server, nobody)).status === 404);
    expect((await liveOn(server, player)).status).toBe(404);
    expect((await liveOn(server)).body).toEqual(shown(at, { events, players, bases }));
    const unlisted = await buildSurvivalServer(server, { listed: false });
    expect((await liveOn(server, staff, unlisted.id)).status).toBe(404);
    expect((await liveOn(server, staff, 987_654)).status).toBe(404);
  });

  it.each(["anonymous", "logged_in", "player"])(
    "cannot be configured to show players and bases to %s",
    async (rung) => {
      for (const layer of ["players", "bases"]) {
        const refused = await change("PUT /admin/survival/visibility", {
          layers: { [layer]: rung },
        });
        expect(refused.status).toBe(400);
      }
      expect(
        Object.keys(((await liveOn(server, player)).body as { layers: object }).layers),
      ).toEqual(["events"]);
    },
  );

  it("is stale after fifteen seconds without a frame, but keeps its layers", async () => {
    const { at } = await tell();
    const record = await findServer(id, server.context);
    const view = await readCallerAccess(null, server.context);
    const { origin, positions } = server.context.liveMaps.newest(id) as LiveFrame;
    const aged = (ageMs: number) =>
      readLiveMap(record, view, { newest: () => ({ origin, positions, ageMs }) });
    expect(positions?.at).toEqual(new Date(at));
    expect([aged(15_000).stale, aged(15_001).stale]).toEqual([false, true]);
    expect(aged(15_001).layers).toEqual({ events });
  });
});

describe("the positions of players", () => {
  const canary = "canary-of-the-live-map";

  it("are written to no table, not even from refused frames", async () => {
    const name = `${canary} ${moment}`;
    await tell({ players: [{ ...anna, name }] });
    game.emit("map.live", { ...frame(), players: [{ ...anna, name, x: canary }] });
    const { RejectedFrame } = server.context.models;
    const refused = () =>
      storedRows(RejectedFrame, ["reason", "excerpt", "detail"], { kind: "map.live" });
    await waitUntil("it is refused", async () => (await refused()).length > 0);
    expect(await refused()).toEqual([{ reason: "schema", excerpt: "", detail: "players[0].x" }]);
    expect(await tablesHolding(server, canary)).toEqual([]);
  });

  it.each([
    `{"type":"event","kind":"map.live","payload":{"players":[{"name":"${canary}"`,
    `{"type":"event","kind":"config.outcome","payload":{"message":"apiKey: ${canary}"`,
    `{"type":"event","payload":{"players":[{"name":"${canary}","x":1234.5,"z":2345.5`,
    '{"kind":"player.chat"',
  ])("and configurations are in no stored excerpt of a text that is not JSON: %s", (excerpt) => {
    const torn = { type: "rejected", reason: "json", excerpt, cursor: null, kind: null } as const;
    expect(maskFrameSecrets(torn)).toEqual({ ...torn, excerpt: "" });
    const other = { ...torn, reason: "t", kind: "player.chat" } as const;
    const whole = { ...other, excerpt: '{"kind":"player.chat"}' };
    expect(maskFrameSecrets(whole)).toBe(whole);
  });
});

/** Positions with any numbers and any names. */
const payloads = fc
  .array(fc.record({ steamId: fc.string({ unit: "binary" }), x: fc.double({ noNaN: true }) }), {
    maxLength: 60,
  })
  .map((many) => JSON.parse(JSON.stringify(frame({ players: many } as never))) as LivePayload);

const origins = fc.record({
  serverId: fc.integer({ min: 1 }),
  bootId: fc.option(fc.string({ unit: "binary", maxLength: 64 })),
  saveId: fc.option(fc.nat()),
});

describe("a frame of positions that is split into pieces", () => {
  it("can be joined again, and each piece fits into a notification", () => {
    fc.assert(
      fc.property(payloads, origins, (payload, origin) => {
        const pieces = splitLiveFrame(payload, origin);
        expect(joinLiveFrame(pieces.map(({ text }) => text))).toEqual(payload);
        for (const piece of pieces) {
          expect(Buffer.byteLength(JSON.stringify(piece))).toBeLessThan(8_000);
        }
      }),
    );
  });

  it("is shown completely or not at all if pieces are lost", () => {
    const large = (at: number): LivePayload => ({
      ...frame({ at }),
      players: Array.from({ length: 300 }, (_, index) => ({
        steamId: String(Math.sin(index + at)),
        name: String(Math.cos(index * at)),
        x: Math.sin(index * 31 + at),
        z: Math.sin(index * 17 + at),
      })),
    });
    const origin = { serverId: 1, bootId: null, saveId: null };
    const [one, two] = [large(1_000), large(2_000)];
    const pieces = [one, two].flatMap((payload) => splitLiveFrame(payload, origin));
    expect(pieces.length).toBeGreaterThan(4);
    fc.assert(
      fc.property(fc.subarray(pieces), fc.nat({ max: pieces.length }), (came, gapAt) => {
        const { live, say, miss } = listening();
        came.forEach((piece, index) => {
          if (index === gapAt) miss();
          say(piece);
        });
        const at = live.newest(1)?.positions?.at.getTime();
        expect([undefined, 1_000, 2_000]).toContain(at);
        const isWhole = came.length === pieces.length && gapAt >= pieces.length;
        expect(isWhole ? at : 2_000).toBe(2_000);
      }),
    );
  });

  it.each([
    [{}],
    [{ serverId: 1, frame: "f", page: 1, pages: 1, text: 7 }],
    [{ serverId: 1, frame: "f", page: 1, pages: 1e9, text: "" }],
    [{ serverId: 1, frame: "f", page: 1, pages: 1, text: "none of ours" }],
  ])("is not built from a malformed notification: %j", (piece) => {
    const { live, say } = listening();
    say(piece as unknown as Channels["survival_live"]);
    expect(live.newest(1)?.positions ?? null).toBeNull();
  });
});

/** Returns the live maps of a process, and the functions that its LISTEN connection would call to notify them. */
function listening() {
  const subscribers = new Map<string, (payload: never) => void>();
  const gaps: (() => void)[] = [];
  const live = new LiveMaps({
    on: (channel, subscriber) => {
      subscribers.set(channel, subscriber);
      return () => undefined;
    },
    onGap: (gap) => {
      gaps.push(gap);
      return () => undefined;
    },
  });
  const say = (piece: Channels["survival_live"]) =>
    subscribers.get("survival_live")?.(piece as never);
  const miss = () => gaps.forEach((gap) => gap());
  return { live, say, miss };
}
