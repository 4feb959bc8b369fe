import { spawn } from "node:child_process";
import { once } from "node:events";

import { afterEach, describe, expect, it } from "vitest";

import { checkPayloadAgainstSchema } from "../../../shared/platform/bridge/check-payload.ts";
import { findSurvivalKind } from "../../../shared/survival/kinds/kinds.ts";
import { callControl, callSim, openStream, refusedStream } from "../client.ts";
import { kindsOf, lastOf, findPlayerByIndex, put, waitForNextEvent } from "./expecting.ts";
import type { SurvivalSimulator } from "./simulator.ts";
import {
  createManualClock,
  noon,
  createSurvivalSimulatorPool,
  survivalEventsSince,
} from "./starting.ts";
import { awkwardNames } from "./world/names.ts";
import { stats } from "./world/stats.ts";

const { start, stopAll } = createSurvivalSimulatorPool();
afterEach(stopAll);

const online = ({ world }: SurvivalSimulator) =>
  [...world.players.values()].filter(({ connectedAt }) => connectedAt !== null);

describe("a connection to a survival server", () => {
  it("starts with hello and a replay, after which the game sends its states", async () => {
    const simulator = await start();
    const { epoch, head } = simulator.buffer;
    const client = await openStream(simulator);
    await client.caughtUp();
    expect(client.frames[0]).toEqual({
      type: "hello",
      protocol: 13,
      epoch,
      bootId: simulator.game.bootId,
      head,
      oldest: 1,
      pluginConnected: true,
      shard: { name: "Guildhall <b>Test</b> Island", version: "2600.287.1", expansion: null },
      plugin: { version: "1.6.0" },
      capabilities: [
        "map",
        "perm",
        "npc",
        "zones",
        "kits",
        "participation",
        "titles",
        "voice",
        "announce",
        "config",
        "link",
        "integrations",
        "moderation",
      ],
      t: noon,
    });
    await client.until(({ kind, replay }) => kind === "player.tally" && replay === false);
    const types = client.frames.map(({ type }) => type);
    expect(types.slice(1, head + 2)).toEqual([...Array(head).fill("event"), "live"]);
    const after = client.frames.slice(head + 2);
    expect(after.map(({ kind }) => kind)).toEqual([
      "server.hello",
      "player.online",
      "npc.placements",
      "player.tally",
    ]);
    expect(after.map(({ seq }) => seq)).toEqual([head + 1, head + 2, head + 3, head + 4]);
    expect(after.every(({ eventKey, replay }) => eventKey === null && replay === false)).toBe(true);
  });

  it("continues after the client's cursor and sends the states again", async () => {
    const simulator = await start();
    const { epoch, head } = simulator.buffer;
    const client = await openStream(simulator, { epoch, after: head - 1 });
    await client.until(({ kind, replay }) => kind === "player.tally" && replay === false);
    expect(client.frames.map(({ type, seq }) => [type, seq])).toEqual([
      ["hello", undefined],
      ["event", head],
      ["live", undefined],
      ["event", head + 1],
      ["event", head + 2],
      ["event", head + 3],
      ["event", head + 4],
    ]);
  });

  it("sends no states while the game is away", async () => {
    const simulator = await start({ boot: false });
    const client = await openStream(simulator);
    await client.caughtUp();
    expect(client.frames.map(({ type }) => type)).toEqual(["hello", "live"]);
    simulator.faults.trigger("back");
    await client.until(({ kind }) => kind === "player.tally");
    const { bootId } = simulator.game;
    expect(client.frames[2]).toEqual({ type: "plugin", connected: true, bootId });
  });

  it("is refused with 409 if it uses the shard's protocol, and with 423 while another client is connected", async () => {
    const simulator = await start();
    expect(await refusedStream(simulator, { protocol: 8 })).toEqual({
      status: 409,
      body: { code: "PROTOCOL", server: 13, client: 8 },
    });
    await openStream(simulator);
    expect(await refusedStream(simulator)).toEqual({ status: 423, body: { code: "LOCKED" } });
  });

  it("supports only protocol 13", async () => {
    await expect(start({ protocol: 8 })).rejects.toThrow("protocol must be 13");
  });
});

describe("a boot", () => {
  it("sends all states, each with the id of its world", async () => {
    const simulator = await start();
    const { log } = simulator.buffer;
    expect([...new Set(kindsOf(log))]).toEqual([
      "server.status",
      "server.hello",
      "world.ready",
      "map.info",
      "plugin.loaded",
      "player.online",
      "npc.placements",
      "clan.board",
      "clan.roster",
      "player.tally",
    ]);
    const { saveId } = simulator.world.save;
    expect(saveId).toBe(noon - 2 * 86_400_000);
    expect(log.every((event) => event.saveId === saveId)).toBe(true);
    expect(log.every(({ bootId }) => bootId === simulator.game.bootId)).toBe(true);
  });

  it("reports the framework, the helpers and the world in server.hello", async () => {
    const simulator = await start({ framework: "carbon", serverName: "Two" });
    const { saveId, seed } = simulator.world.save;
    const helper = (id: string, name: string, version: string | null = "3.1.7") => ({
      id,
      name,
      version,
      loaded: version !== null,
    });
    expect(lastOf(simulator, "server.hello").payload).toEqual({
      serverName: "Two",
      framework: { name: "carbon", version: "2.0.203" },
      game: { version: "2600.287.1", protocolNetwork: 2_600, protocolSave: 264 },
      plugin: { version: "1.6.0" },
      npcApi: 4,
      startedAt: noon,
      worldReady: true,
      world: { level: "Procedural Map", seed, size: 3_000, saveCreatedAt: saveId },
      helpers: [
        helper("zones", "ZoneManager"),
        helper("pve", "TruePVE"),
        helper("kits", "Kits"),
        helper("chat", "BetterChat"),
        helper("domes", "ZoneDomes"),
        helper("npcs", "GuildNpcs"),
        helper("clans", "NativeClans"),
        helper("playtime", "PlaytimeTracker"),
        helper("quests", "Quests", null),
        helper("map", "MapRender"),
      ],
      capabilities: expect.arrayContaining(["map", "link"]),
      head: 1,
    });
  });

  it("reports that the world is not ready at first if loading the world takes time", async () => {
    const simulator = await start({ worldMs: 20 });
    expect(lastOf(simulator, "server.hello").payload).toMatchObject({ worldReady: false });
    expect(kindsOf(simulator.buffer.log)).toEqual(["server.status", "server.hello"]);
    await waitForNextEvent(simulator, "world.ready");
    expect(simulator.game.worldReady).toBe(true);
  });

  it("creates the same world for the same seed, and another world for another seed", async () => {
    const facts = async (seed: number) => {
      const simulator = await start({ seed });
      simulator.happen(300);
      return simulator.buffer.log.map(({ kind, t, payload }) => ({ kind, t, payload }));
    };
    const [first, again, other] = [await facts(1), await facts(1), await facts(2)];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it("sends the total counters of all players and marks staff", async () => {
    const simulator = await start();
    const { tallies, saveId } = lastOf(simulator, "player.tally").payload as {
      tallies: { steamId: string; stats: object; staff?: boolean }[];
      saveId: number;
    };
    expect(saveId).toBe(simulator.world.save.saveId);
    for (const tally of tallies) {
      expect(tally.steamId).toMatch(/^7656119\d{10}$/);
      expect(Object.keys(tally.stats)).toEqual(stats);
    }
    const staff = tallies.filter((one) => one.staff === true).map(({ steamId }) => steamId);
    expect(staff).toEqual([findPlayerByIndex(simulator, 18).steamId]);
  });

  it("includes player names that break naive web pages", async () => {
    const simulator = await start();
    const names = [...simulator.world.players.values()].map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(awkwardNames));
  });

  it("keeps every frame of the full world below 256 KiB", async () => {
    const simulator = await start({ world: "full" });
    const last = waitForNextEvent(simulator, "npc.placements");
    const families = ["server", "players", "tallies", "clans", "map", "permissions", "npcs"];
    await callControl(simulator, "POST", "/v1/resync", { body: { families } });
    await last;
    const longest = simulator.buffer.log.map((event) => Buffer.byteLength(JSON.stringify(event)));
    expect(Math.max(...longest)).toBeLessThan(256 * 1024);
    expect(online(simulator)).toHaveLength(200);
  });
});

describe("the events of a survival server", () => {
  it("match the schemas of the service in every kind", async () => {
    const simulator = await start({ world: { players: 60, online: 40, image: 16 } });
    const [killer] = online(simulator);
    if (killer === undefined) throw new Error("nobody is online");
    await put(simulator, "/v1/npc/placements", {
      placements: [{ name: "boss", profileKey: "warlord", count: 20 }],
    });
    simulator.turn({ turn: "killNpc", by: killer.steamId, placement: "boss" });
    simulator.turn({ turn: "unloadPlugin", name: "Kits" });
    simulator.turn({ turn: "failPlugin", name: "Vanish" });
    simulator.happen(1_500);
    simulator.turn({ turn: "wipe" });
    const wrong = simulator.buffer.log.flatMap(({ kind, payload }) => {
      const checked = checkPayloadAgainstSchema(findSurvivalKind(kind)?.payload, payload);
      return "reason" in checked ? [`${kind}: ${checked.reason}`] : [];
    });
    expect(wrong).toEqual([]);
    const unknown = kindsOf(simulator.buffer.log).filter((kind) => !findSurvivalKind(kind));
    expect(unknown).toEqual([]);
    expect(new Set(kindsOf(simulator.buffer.log)).size).toBeGreaterThan(24);
  });

  it("wound bosses without killing them, so that a test can kill the bosses", async () => {
    const simulator = await start();
    await put(simulator, "/v1/npc/placements", {
      placements: ["warlord", "scientist"].map((one) => ({ name: one, profileKey: one, count: 2 })),
    });
    simulator.happen(1_500);
    const { alive } = simulator.world.npcs;
    const bosses = [...alive.values()].filter(({ profile }) => profile === "warlord");
    expect(bosses.map(({ health }) => health)).toEqual([1, 1]);
    expect(lastOf(simulator, "survival.npc.died").payload).toMatchObject({ profile: "scientist" });
    const [killer] = online(simulator);
    simulator.turn({ turn: "killNpc", by: String(killer?.steamId), placement: "warlord" });
    expect(lastOf(simulator, "survival.npc.died").payload).toMatchObject({ profile: "warlord" });
  });

  it("have unique keys, while states have no keys", async () => {
    const simulator = await start();
    simulator.happen(500);
    const { log } = simulator.buffer;
    const keys = log.flatMap(({ eventKey }) => eventKey ?? []);
    expect(new Set(keys).size).toBe(keys.length);
    const states = ["server.", "map.", "npc.", "clan.board", "clan.roster", "player.tally"];
    for (const { kind, eventKey } of log) {
      const isState =
        kind === "player.online" ||
        kind === "world.ready" ||
        states.some((prefix) => kind.startsWith(prefix));
      expect([kind, eventKey === null]).toEqual([kind, isState]);
    }
  });

  it("have the same connectedAt for a join and its leave", async () => {
    const hand = createManualClock();
    const simulator = await start({ clock: hand.clock });
    const player = findPlayerByIndex(simulator, 20);
    const from = simulator.buffer.log.length;
    simulator.turn({ turn: "join", steamId: player.steamId });
    hand.pass(90_500);
    simulator.turn({ turn: "leave", steamId: player.steamId });
    const who = { steamId: player.steamId, name: player.name, connectedAt: noon };
    expect(survivalEventsSince(simulator, from)).toEqual([
      ["player.joined", who],
      ["player.left", { ...who, reason: "disconnected", sessionSec: 90 }],
    ]);
    expect(simulator.buffer.log.slice(from).map(({ eventKey }) => eventKey)).toEqual([
      `join:${player.steamId}:${noon}`,
      `leave:${player.steamId}:${noon}`,
    ]);
  });

  it("mark the first visit of a player", async () => {
    const simulator = await start();
    const { steamId } = findPlayerByIndex(simulator, 9);
    simulator.turn({ turn: "join", steamId });
    expect(lastOf(simulator, "player.joined").payload).toMatchObject({ steamId, first: true });
  });

  it("include a death that raises the killer's counters, and the respawn after it", async () => {
    const simulator = await start();
    const [victim, killer] = [findPlayerByIndex(simulator, 0), findPlayerByIndex(simulator, 1)];
    const before = { ...simulator.world.save.tallies.get(killer.steamId)?.stats };
    const from = simulator.buffer.log.length;
    const deed = { by: killer.steamId, weapon: "bow.hunting", distance: 5_000, headshot: true };
    simulator.turn({ turn: "die", steamId: victim.steamId, ...deed });
    simulator.turn({ turn: "respawn", steamId: victim.steamId });
    const { steamId, name } = victim;
    expect(survivalEventsSince(simulator, from)).toEqual([
      [
        "player.died",
        {
          victim: { steamId, name },
          killer: { kind: "player", steamId: killer.steamId, name: killer.name },
          weapon: "bow.hunting",
          distance: 5_000,
          headshot: true,
          sleeping: false,
          x: expect.any(Number),
          z: expect.any(Number),
          grid: expect.stringMatching(/^[A-Z]{1,2}\d+$/),
        },
      ],
      [
        "player.respawned",
        { steamId, name, x: victim.x, y: victim.y, z: victim.z, bag: expect.any(Boolean) },
      ],
    ]);
    expect(simulator.world.save.tallies.get(killer.steamId)?.stats).toEqual({
      ...before,
      playersKilled: (before.playersKilled ?? 0) + 1,
      headshots: (before.headshots ?? 0) + 1,
      arrowKills: (before.arrowKills ?? 0) + 1,
      pvpKillDistance: 5_000,
    });
  });

  it("have different keys for two deaths in the same millisecond", async () => {
    const simulator = await start();
    const { steamId } = findPlayerByIndex(simulator, 0);
    simulator.turn({ turn: "die", steamId });
    simulator.turn({ turn: "die", steamId });
    const deaths = simulator.buffer.log.filter(({ kind }) => kind === "player.died");
    expect(deaths.map(({ eventKey, t }) => [eventKey, t])).toEqual([
      [`death:${steamId}:${noon}`, noon],
      [`death:${steamId}:${noon + 1}`, noon + 1],
    ]);
  });

  it("include only chat of the global channel", async () => {
    const simulator = await start();
    simulator.happen(600);
    const channels = simulator.buffer.log
      .filter(({ kind }) => kind === "player.chat")
      .map(({ payload }) => payload["channel"]);
    expect(channels.length).toBeGreaterThan(20);
    expect(new Set(channels)).toEqual(new Set(["global"]));
  });

  it("include the frame player.tally with counters that a test sets", async () => {
    const simulator = await start();
    const { steamId, name } = findPlayerByIndex(simulator, 3);
    const from = simulator.buffer.log.length;
    simulator.turn({ turn: "tally", steamId, stats: { npcKills: 77 }, playtimeSec: 3_600 });
    const { saveId, tallies } = simulator.world.save;
    const row = { steamId, name, afkSec: tallies.get(steamId)?.afkSec, playtimeSec: 3_600 };
    expect(survivalEventsSince(simulator, from)).toEqual([
      [
        "player.tally",
        { saveId, tallies: [{ ...row, stats: { ...tallies.get(steamId)?.stats, npcKills: 77 } }] },
      ],
    ]);
  });
});

describe("the plugin's clock", () => {
  it("sends each state at its interval, and only those player counters that changed", async () => {
    const hand = createManualClock();
    const simulator = await start({ clock: hand.clock });
    const from = simulator.buffer.log.length;
    const before = simulator.world.save.tallies.get(
      findPlayerByIndex(simulator, 1).steamId,
    )?.playtimeSec;
    simulator.turn({ turn: "leave", steamId: findPlayerByIndex(simulator, 0).steamId });
    for (let passed = 0; passed < 60; passed += 5) {
      hand.pass(5_000);
      simulator.tick();
    }
    const counts = new Map<string, number>();
    for (const kind of kindsOf(simulator.buffer.log.slice(from))) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual({
      "player.left": 1,
      "server.status": 4,
      "map.live": 12,
      "player.online": 1,
      "player.tally": 1,
    });
    const { tallies } = lastOf(simulator, "player.tally").payload;
    expect(tallies).toHaveLength(12);
    const { steamId } = findPlayerByIndex(simulator, 1);
    const played = simulator.world.save.tallies.get(steamId)?.playtimeSec ?? 0;
    expect(tallies).toContainEqual(expect.objectContaining({ steamId, playtimeSec: played }));
    expect(played - (before ?? 0)).toBe(60);
    expect(lastOf(simulator, "server.status").payload).toEqual({
      state: "online",
      players: 11,
      maxPlayers: 62,
      queued: 0,
      joining: 0,
      fps: 59,
      uptimeSec: 60,
      gameTime: 0.4,
      entities: 40_000,
    });
    const live = lastOf(simulator, "map.live").payload;
    expect(Object.keys(live)).toEqual(["at", "gameTime", "events", "players", "bases"]);
    expect(live["players"]).toHaveLength(12);
    const positions = simulator.buffer.log.filter(({ kind }) => kind === "map.live");
    const held = positions.map(({ payload }) => (payload["players"] as unknown[]).length);
    expect(held).toEqual([...Array(11).fill(0), 12]);
  });

  it("stands still while the game is frozen", async () => {
    const hand = createManualClock();
    const simulator = await start({ clock: hand.clock });
    simulator.game.freeze();
    const from = simulator.buffer.log.length;
    hand.pass(3_600_000);
    simulator.tick();
    expect(survivalEventsSince(simulator, from)).toEqual([]);
    expect(simulator.happen(5)).toBe(0);
    simulator.game.thaw();
    simulator.tick();
    expect(kindsOf(simulator.buffer.log.slice(from))).toEqual([
      "server.status",
      "server.status",
      "player.online",
      "player.tally",
      "map.live",
    ]);
  });
});

describe("a wipe", () => {
  it("boots the game into a new world, and is reported once under its event key", async () => {
    const hand = createManualClock();
    const simulator = await start({ clock: hand.clock });
    const { saveId: previousSaveId } = simulator.world.save;
    const { bootId } = simulator.game;
    hand.pass(1_000);
    const from = simulator.buffer.log.length;
    simulator.turn({ turn: "wipe", blueprints: "wiped", forced: true });
    const { saveId, seed } = simulator.world.save;
    expect(saveId).toBe(noon + 1_000);
    expect(simulator.game.bootId).not.toBe(bootId);
    const events = simulator.buffer.log.slice(from);
    expect(kindsOf(events).slice(0, 6)).toEqual([
      "server.status",
      "server.status",
      "server.hello",
      "world.wiped",
      "world.ready",
      "map.info",
    ]);
    expect(events[0]).toMatchObject({ saveId: previousSaveId, payload: { state: "restarting" } });
    expect(events[3]).toMatchObject({
      saveId,
      eventKey: `wipe:${saveId}`,
      payload: {
        saveId,
        previousSaveId,
        saveProtocol: 265,
        previousProtocol: 264,
        blueprints: "wiped",
        level: "Procedural Map",
        seed,
        size: 3_000,
      },
    });
    expect(events.at(-2)).toMatchObject({ kind: "player.tally", payload: { tallies: [] } });
  });

  it("ends all clans and starts their ids at 1 if it wipes blueprints, and otherwise keeps the clans", async () => {
    const simulator = await start();
    const identities = () =>
      [...simulator.world.save.clans.clans.values()].map(({ clanId, created }) => [
        clanId,
        created,
      ]);
    const before = identities();
    simulator.turn({ turn: "wipe", blueprints: "kept" });
    expect(identities()).toEqual(before);
    simulator.turn({ turn: "wipe", blueprints: "wiped" });
    expect(identities()).toEqual([]);
    expect(simulator.turn({ turn: "clan", name: "New" })).toEqual({
      clanId: "1",
      created: String(noon),
    });
    expect(before[0]?.[0]).toBe("1");
    expect(before[0]?.[1]).not.toBe(String(noon));
  });

  it("is undone by restoring an older save, without a wipe event", async () => {
    const simulator = await start();
    const first = simulator.world.save;
    const { steamId } = findPlayerByIndex(simulator, 0);
    simulator.turn({ turn: "wipe" });
    const from = simulator.buffer.log.length;
    simulator.turn({ turn: "restore", saveId: first.saveId });
    expect(simulator.world.save).toBe(first);
    const events = simulator.buffer.log.slice(from);
    expect(kindsOf(events)).not.toContain("world.wiped");
    expect(events.at(-1)?.saveId).toBe(first.saveId);
    expect(lastOf(simulator, "player.tally").payload["tallies"]).toContainEqual(
      expect.objectContaining({ steamId, stats: first.tallies.get(steamId)?.stats }),
    );
    simulator.turn({ turn: "restore" });
    expect(simulator.world.save.saveId).toBe(first.saveId - 86_400_000);
  });
});

describe("clans", () => {
  it("are listed up to 100, the highest score first", async () => {
    const simulator = await start();
    expect(simulator.turn({ turn: "board", clans: 130 })).toEqual({ clans: 130 });
    const { clans, limit } = lastOf(simulator, "clan.board").payload as {
      clans: { score: number }[];
      limit: number;
    };
    expect([clans.length, limit]).toEqual([100, 100]);
    const scores = clans.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    simulator.turn({ turn: "board", clans: 3 });
    expect(lastOf(simulator, "clan.board").payload["clans"]).toHaveLength(3);
  });
});

describe("POST /v1/resync", () => {
  const families = ["server", "players", "tallies", "clans", "map", "permissions", "npcs"];

  it("sends the states of each family again", async () => {
    const simulator = await start();
    const from = simulator.buffer.log.length;
    const last = waitForNextEvent(simulator, "npc.placements");
    const answer = await callControl(simulator, "POST", "/v1/resync", { body: { families } });
    expect(answer).toEqual({ status: 202, body: { families } });
    await last;
    const events = simulator.buffer.log.slice(from);
    expect([...new Set(kindsOf(events))]).toEqual([
      "server.hello",
      "server.status",
      "player.online",
      "player.tally",
      "clan.board",
      "clan.roster",
      "map.info",
      "perm.inventory",
      "npc.placements",
    ]);
    expect(events.every(({ eventKey }) => eventKey === null)).toBe(true);
    const pages = events
      .filter(({ kind }) => kind === "perm.inventory")
      .map(({ payload }) => [payload["page"], payload["pages"]]);
    expect(pages).toEqual(pages.map((_, index) => [index + 1, pages.length]));
    expect(pages.length).toBeGreaterThan(1);
  });

  it("answers 400 for an unknown family", async () => {
    const simulator = await start();
    const body = { families: ["house"] };
    expect(await callControl(simulator, "POST", "/v1/resync", { body })).toEqual({
      status: 400,
      body: { code: "INVALID", field: "families", reason: "house is no family" },
    });
  });
});

describe("the simulator process", () => {
  it("prints one line when it is ready and exits on SIGTERM", async () => {
    const main = new URL("main.ts", import.meta.url).pathname;
    const flags = ["--world", "small", "--rate", "50", "--framework", "carbon", "--token", "x"];
    const child = spawn(process.execPath, [main, ...flags], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const ready = JSON.parse(line.toString("utf8")) as Record<string, string>;
    expect(ready).toEqual({
      ready: true,
      pid: child.pid,
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      wsUrl: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/v1\/stream$/),
      simUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/sim$/),
      token: "x",
      epoch: expect.any(String),
    });
    const status = await fetch(`${ready["simUrl"]}/status`);
    expect(await status.json()).toMatchObject({ pluginConnected: true, rate: 50 });
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});

describe("the routes for tests", () => {
  it("make a player perform an action, or explain why the player cannot", async () => {
    const simulator = await start();
    const { steamId } = findPlayerByIndex(simulator, 0);
    const turn = (body: object) => callSim(simulator, "POST", "/turns", body);
    const minted = await turn({ turn: "mintCode", steamId });
    expect(minted.body).toEqual({
      result: { code: expect.stringMatching(/^[A-Z]{6}$/), expiresAt: noon + 300_000 },
    });
    expect(lastOf(simulator, "link.minted").payload).toEqual({
      at: noon,
      expiresAt: noon + 300_000,
      salt: expect.stringMatching(/^[A-Z]{16}$/),
      hash: expect.stringMatching(/^[\da-f]{64}$/),
    });
    expect(await turn({ turn: "join", steamId: "1" })).toEqual({
      status: 400,
      body: { code: "INVALID", field: "turn", reason: "no player 1" },
    });
    expect((await turn({ turn: "dance" })).status).toBe(400);
    simulator.faults.trigger("away");
    expect((await turn({ turn: "tick" })).body).toMatchObject({ reason: "the game is away" });
  });

  it("show the world, and the log with the world id of each event", async () => {
    const simulator = await start();
    const log = await callSim(simulator, "GET", "/log?limit=1");
    const { saveId } = simulator.world.save;
    expect(log.body).toMatchObject({ events: [{ n: 1, kind: "server.status", saveId }] });
    const world = await callSim(simulator, "GET", "/world");
    expect(world.body).toMatchObject({ framework: "oxide", saveId, saves: [saveId], leases: [] });
  });
});
