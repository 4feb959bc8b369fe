import { setImmediate as nextTurn } from "node:timers/promises";

import { afterEach, describe, expect, it } from "vitest";

import type { Cursor, EventFrame } from "../../../shared/platform/bridge/frames.ts";
import { checkPayload } from "../../../shared/survival/ingest/check-payload.ts";
import { waitUntil } from "../../support/clock/wait.ts";
import { anna, bert, Consoles } from "./started-feed.ts";

const consoles = new Consoles();
afterEach(() => consoles.stopAll());

const connected = { state: "connected", reason: null, pluginConnected: true };

describe("the feed of a console", () => {
  it("begins with the hello, the game and the players", async () => {
    const simulator = await consoles.start({ levelUrl: "" });
    simulator.join(anna.steamId, anna.name);
    const { feed, frames, events, untilEvents, sessions } = consoles.feed(simulator);
    const [online] = await untilEvents("player.online");
    const [hello] = frames;
    const bootId = hello?.type === "hello" ? hello.bootId : null;
    expect(frames.slice(0, 2)).toMatchObject([
      {
        type: "hello",
        protocol: 13,
        head: 0,
        oldest: 1,
        capabilities: ["announce", "moderation", "perm"],
      },
      { type: "live", head: 0 },
    ]);
    expect(events("server.hello")[0]?.payload).toMatchObject({
      serverName: simulator.world.hostname,
      framework: { name: "oxide", version: "2.0.6511" },
      game: { version: "2600.287.1", protocolNetwork: 2_600, protocolSave: 287 },
      worldReady: true,
      world: { seed: "1337", size: 4_250, saveCreatedAt: simulator.world.savedAt, levelUrl: null },
    });
    expect(online).toMatchObject({ bootId, payload: { players: [anna] } });
    expect(events("player.joined")).toEqual([]);
    expect(feed.status).toEqual(connected);
    expect(sessions).toEqual([{ bootId, capabilities: ["announce", "moderation", "perm"] }]);
  });

  it("reports joins, leaves, chat, deaths and reports, valid by the schemas of their kinds", async () => {
    const simulator = await consoles.start();
    const { frames, untilEvents } = consoles.feed(simulator);
    await untilEvents("player.online");
    simulator.join(anna.steamId, anna.name);
    simulator.join(bert.steamId, bert.name);
    const joined = await untilEvents("player.joined", 2);
    simulator.chat(anna.steamId, "team words", 1);
    simulator.chat(anna.steamId, `Bert[${bert.steamId}] was killed by Anna[${anna.steamId}]`);
    simulator.log(`Bert[${bert.steamId}] was killed by Boar (Boar)`);
    simulator.report(anna.steamId, bert.steamId, "cheating", "walks through walls");
    const [reported] = await untilEvents("player.reported");
    const [died, ...otherDeaths] = await untilEvents("player.died");
    const [chat, ...otherChat] = await untilEvents("player.chat");
    simulator.leave(bert.steamId, "timed out");
    const [left] = await untilEvents("player.left");
    expect(joined.map(({ payload }) => payload.steamId)).toEqual([anna.steamId, bert.steamId]);
    expect(joined[1]?.eventKey).toBe(`join:${bert.steamId}:${String(left?.payload.connectedAt)}`);
    expect(died?.payload).toMatchObject({ victim: bert, killer: { kind: "animal" } });
    expect(chat?.payload).toMatchObject({ ...anna, channel: "global" });
    expect([otherChat, otherDeaths]).toEqual([[], []]);
    expect(reported?.payload).toMatchObject({ reporter: anna, target: bert, type: "cheat" });
    expect(left?.payload).toMatchObject({ ...bert, reason: "timed out" });
    const told = frames.filter((frame): frame is EventFrame => frame.type === "event");
    for (const { kind, payload } of told) {
      expect(checkPayload(kind, payload)).toHaveProperty("payload");
    }
  });

  it("finds a mod loader that answers late because its console is slow", async () => {
    const simulator = await consoles.start();
    simulator.answerDelayMs = 400;
    const { sessions, untilEvents } = consoles.feed(simulator);
    await untilEvents("server.hello");
    expect(sessions[0]?.capabilities).toContain("perm");
  });

  it("asks again for a mod loader and a map if the console did not answer", async () => {
    const simulator = await consoles.start();
    simulator.answers.set("oxide.version", null).set("server.levelurl", null);
    const timing = { factsMs: 100, probeMs: 20 };
    const { sessions, events, untilEvents } = consoles.feed(simulator, { timing });
    const [first] = await untilEvents("server.hello");
    expect(first?.payload).toMatchObject({ framework: null, world: { seed: null, size: null } });
    simulator.answers.clear();
    const complete = { framework: { name: "oxide" }, world: { seed: "1337", size: 4_250 } };
    await waitUntil("the hello is complete", () => {
      const { framework, world } = events("server.hello").at(-1)?.payload ?? {};
      return framework !== null && (world as { seed: string | null }).seed !== null;
    });
    expect(events("server.hello").at(-1)?.payload).toMatchObject(complete);
    expect(sessions.at(0)?.capabilities).not.toContain("perm");
    expect(sessions.at(-1)?.capabilities).toContain("perm");
    expect(new Set(sessions.map((session) => session?.bootId)).size).toBe(1);
  });

  it("ignores messages of more than 64 KiB, unless they answer a command", async () => {
    const simulator = await consoles.start();
    for (let player = 0; player < 300; player += 1) {
      simulator.join(`7656119800000${1_000 + player}`, `Player ${player}`);
    }
    const { events, untilEvents } = consoles.feed(simulator);
    const [online] = await untilEvents("player.online");
    const entry = { Channel: 0, UserId: anna.steamId, Username: "Anna", Message: "words" };
    const long = {
      ...entry,
      x: `"Identifier": 1001, ${"x".repeat(70_000)}`,
      y: '"Identifier":1001',
    };
    simulator.log(JSON.stringify(long), "Chat");
    simulator.log(JSON.stringify({ ...entry, Message: "after it" }), "Chat");
    await untilEvents("player.chat");
    expect(online?.payload.players).toHaveLength(300);
    expect(events("player.chat").map(({ payload }) => payload.message)).toEqual(["after it"]);
  });

  it("ignores lines that imitate the leave or join of a player", async () => {
    const simulator = await consoles.start();
    simulator.join(anna.steamId, anna.name);
    const { events, untilEvents } = consoles.feed(simulator);
    await untilEvents("player.online");
    simulator.log(`203.0.113.7:1/${anna.steamId}/Anna disconnecting: closing`);
    simulator.log(`203.0.113.7:1/${bert.steamId}/Bert joined [windows/${bert.steamId}]`);
    await untilEvents("server.status", 4);
    expect([events("player.left"), events("player.joined")]).toEqual([[], []]);
  });

  it("never contains or logs the address of a player or a password", async () => {
    const simulator = await consoles.start();
    const { frames, logged, untilEvents } = consoles.feed(simulator);
    await untilEvents("player.online");
    simulator.join(anna.steamId, anna.name);
    await untilEvents("player.joined");
    simulator.leave(anna.steamId, "Kicked: 203.0.113.77:1 is a proxy");
    await untilEvents("player.left");
    simulator.cut();
    await untilEvents("player.online", 2);
    expect(JSON.stringify(frames)).not.toContain("203.0.113");
    expect(logged.length).toBeGreaterThan(0);
    const text = logged.join("");
    expect(text).not.toContain("203.0.113");
    expect(text).not.toContain(simulator.password);
  });
});

describe("a console whose connection ends", () => {
  it("begins each new connection with a gap and keeps the id of the game process", async () => {
    const simulator = await consoles.start();
    simulator.join(anna.steamId, anna.name);
    const { frames, events, untilEvents, sessions } = consoles.feed(simulator);
    const rounds = 3;
    for (let round = 1; round <= rounds; round += 1) {
      await untilEvents("player.online", round);
      simulator.cut();
      await waitUntil("the session ended", () => sessions.at(-1) === null);
      if (round === 1) simulator.join(bert.steamId, bert.name);
    }
    await untilEvents("player.online", rounds + 1);
    const hellos = frames.filter((frame) => frame.type === "hello");
    expect(new Set(hellos.map(({ bootId }) => bootId)).size).toBe(1);
    expect(new Set(hellos.map(({ epoch }) => epoch)).size).toBe(rounds + 1);
    const gaps = frames.filter((frame) => frame.type === "gap");
    expect(gaps).toEqual(
      hellos
        .slice(1)
        .map(({ epoch }) => ({ type: "gap", epoch, from: 1, to: 1, reason: "not heard" })),
    );
    for (const { epoch } of hellos) {
      const seqs = frames.flatMap((frame) =>
        frame.type === "event" && frame.epoch === epoch ? [frame.seq] : [],
      );
      expect(seqs).toEqual(seqs.map((_seq, at) => (seqs[0] ?? 0) + at));
    }
    expect(events("player.joined").map(({ payload }) => payload.steamId)).toEqual([bert.steamId]);
    expect(events("player.left")).toEqual([]);
  });

  it("reports a new process and the wipe if the game restarted with a wipe", async () => {
    const simulator = await consoles.start();
    simulator.join(anna.steamId, anna.name);
    const { frames, events, untilEvents } = consoles.feed(simulator);
    await untilEvents("player.online");
    const former = simulator.world.savedAt;
    await simulator.close();
    simulator.world.restart({ wipe: true });
    simulator.world.isGenerating = true;
    await simulator.open();
    await waitUntil("the game is starting", () =>
      events("server.status").some(({ payload }) => payload.state === "starting"),
    );
    simulator.world.isGenerating = false;
    const [wiped] = await untilEvents("world.wiped");
    const { savedAt, seed } = simulator.world;
    expect(wiped).toMatchObject({
      eventKey: `wipe:${savedAt}`,
      saveId: savedAt,
      payload: {
        saveId: savedAt,
        previousSaveId: former,
        seed: String(seed),
        blueprints: "unknown",
      },
    });
    const hello = (await untilEvents("server.hello", 2)).at(-1);
    expect(hello?.payload).toMatchObject({ world: { saveCreatedAt: savedAt } });
    const boots = frames.flatMap((frame) =>
      frame.type === "hello" || frame.type === "plugin" ? [frame.bootId] : [],
    );
    expect(boots).toEqual([expect.any(String), null, expect.any(String)]);
    expect(boots[0]).not.toBe(boots[2]);
    expect(events("player.online").at(1)?.payload).toEqual({ players: [] });
    simulator.join(bert.steamId, bert.name);
    expect((await untilEvents("player.joined"))[0]?.payload).toMatchObject(bert);
    expect(events("player.left")).toEqual([]);
  });

  it("begins with a gap if ingest stored a position before the process started", async () => {
    const simulator = await consoles.start();
    const cursor = { epoch: "0b8f3c1e-7d52-4f0a-9c38-2f7f6f0f1d11", seq: 7 };
    const { frames, untilEvents } = consoles.feed(simulator, { cursor: () => cursor });
    await untilEvents("server.hello");
    expect(frames.slice(0, 3)).toMatchObject([
      { type: "hello", head: 1, oldest: 2 },
      { type: "gap", from: 1, to: 1 },
      { type: "live", head: 1 },
    ]);
  });

  it("is dialed again if the connection ended because it was silent", async () => {
    const simulator = await consoles.start();
    const { feed, untilEvents } = consoles.feed(simulator, { timing: { silentMs: 600 } });
    await untilEvents("player.online");
    simulator.isMute = true;
    await waitUntil("the link is down", () => feed.status.state === "reconnecting");
    expect(feed.status.reason).toBe("no message for 1 s");
    simulator.isMute = false;
    await waitUntil("the link is back", () => feed.status.state === "connected");
    expect(simulator.dials).toBeGreaterThan(1);
  });
});

describe("frames that could not be stored", () => {
  it("are delivered again from the stored position on", async () => {
    const simulator = await consoles.start();
    simulator.join(anna.steamId, anna.name);
    let stored: Cursor | null = null;
    const { feed } = consoles.feed(simulator, { isTaken: false, cursor: () => stored });
    const first = await feed.nextBatch(3);
    feed.committed();
    for (let round = 0; round < 3; round += 1) simulator.chat(anna.steamId, `words ${round}`);
    await waitUntil("frames wait", () => feed.stats.waiting >= 4);
    const taken = await feed.nextBatch(4);
    const [one, two] = taken.filter((frame): frame is EventFrame => frame.type === "event");
    stored = { epoch: one?.epoch ?? "", seq: one?.seq ?? 0 };
    await feed.rewind();
    const again = await feed.nextBatch(4);
    expect(first.map(({ type }) => type)).toEqual(["hello", "live", "event"]);
    expect(again.find(({ type }) => type === "event")).toEqual(two);
    await feed.rewind();
    expect((await feed.nextBatch(4)).slice(0, 2)).toEqual(again.slice(0, 2));
  });

  it("are limited in number, and a gap reports the events that were dropped", async () => {
    const simulator = await consoles.start();
    simulator.join(anna.steamId, anna.name);
    const timing = { bounds: { waitingFrames: 20 } };
    const { feed } = consoles.feed(simulator, { isTaken: false, timing });
    await waitUntil("the feed is connected", () => feed.status.state === "connected");
    for (let line = 0; line < 50; line += 1) simulator.chat(anna.steamId, `words ${line}`);
    await waitUntil("all lines arrived", () => feed.stats.received >= 50);
    expect(feed.stats.waiting).toBeLessThanOrEqual(21);
    const before = await feed.nextBatch(1_000);
    feed.committed();
    const [gap] = await feed.nextBatch(1);
    const last = before.findLast((frame) => frame.type === "event");
    expect(gap).toMatchObject({
      type: "gap",
      from: (last?.seq ?? 0) + 1,
      reason: "too many events",
    });
  });
});

it("a console that floods delays neither answers nor other work of the process", async () => {
  const simulator = await consoles.start();
  simulator.join(anna.steamId, anna.name);
  const { feed, untilEvents, execute } = consoles.feed(simulator);
  await untilEvents("player.online");
  let turns = 0;
  const counter = new AbortController();
  const counting = (async () => {
    while (!counter.signal.aborted) {
      turns += 1;
      await nextTurn();
    }
  })();
  for (let line = 0; line < 20_000; line += 1) {
    simulator.log(`[CHAT] spam[${anna.steamId}] : line ${line} was killed by x[1]`);
  }
  simulator.chat(anna.steamId, "after the flood");
  const outcome = execute("POST /v1/announce", { message: "hello" });
  await untilEvents("player.chat");
  counter.abort();
  await counting;
  expect((await outcome).status).toBe(200);
  expect(turns).toBeGreaterThan(10);
  expect(feed.status).toEqual(connected);
  expect(simulator.clients).toBe(1);
});

it("a console that disconnects again and again does not fill the memory", async () => {
  const simulator = await consoles.start();
  const timing = { bounds: { waitingFrames: 12 }, probeMs: 1 };
  const { feed, sessions } = consoles.feed(simulator, { isTaken: false, timing });
  const begun = (): number => sessions.filter((session) => session !== null).length;
  for (let round = 1; round <= 8; round += 1) {
    await waitUntil(`session ${round} began`, () => begun() === round);
    simulator.cut();
  }
  await waitUntil("the last session began", () => begun() === 9);
  expect(feed.stats.waiting).toBeLessThan(24);
  const frames = await feed.nextBatch(1_000);
  expect(frames[0]?.type).toBe("hello");
});
