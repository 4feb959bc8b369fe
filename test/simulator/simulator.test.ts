import { spawn } from "node:child_process";
import { once } from "node:events";

import { afterEach, describe, expect, it } from "vitest";

import { callSim } from "./client.ts";
import type { Simulator } from "./simulator.ts";
import { noon, createSimulatorPool } from "./starting.ts";
import { families, familyRows } from "./world/families.ts";
import type { Family } from "./world/families.ts";
import { fullWorld } from "./world/sizes.ts";
import { createWorld } from "./world/world.ts";

const { start, stopAll } = createSimulatorPool();
afterEach(stopAll);

/** All kinds of events that a shard sends, including those of snapshots. */
const kinds = (
  "server.started server.restart.scheduled server.save server.heartbeat presence.online " +
  "presence.login presence.logout presence.region character.created character.deleted " +
  "character.renamed account.login account.audit account.created account.linked " +
  "account.unlinked account.gold economy.snapshot vendor.sale vendor.upsert vendor.removed " +
  "house.upsert house.decay house.removed points.board points.award champ.start champ.progress " +
  "champ.boss champ.end governor.election governor.result governor.upsert guild.created " +
  "guild.joined guild.left guild.disbanded guild.war guild.upsert guild.removed player.death " +
  "player.murder creature.kill drop.artifact drop.scroll skill.gain stat.cap fame karma virtue " +
  "quest.complete tame craft harvest bod page.open page.update page.close chat.message speech " +
  "world.broadcast towncrier.added towncrier.removed admin.audit cheat.fastwalk " +
  "cheat.speedhack cheat.multiclient ip.limit world.ruleset world.map.changed shard.weather " +
  "sidecar.buffer"
).split(" ");

type Row = Readonly<Record<string, unknown>>;

interface VendorUpsert {
  readonly vendor: { readonly serial: string };
  readonly items: readonly { readonly serial: string }[];
}

const idFields = { house: "serial", guild: "guildId", governor: "city", points: "system" };

/** Returns an id of a row that is unique among the rows of all families. */
const identify = (family: Family, row: Row): string =>
  family === "market"
    ? `market ${(row as unknown as VendorUpsert).vendor.serial}`
    : `${family} ${String(row[idFields[family]])}`;

const upsert = (family: Family) => (row: Row) => ({ id: identify(family, row), row });

/**
 * CATALOGUE of the changes that each kind of event makes to a client's copy of the rows. For `house.decay`,
 * checks the stages too.
 */
const changes: Readonly<Record<string, (payload: Row) => { id: string; row?: Row }>> = {
  "vendor.upsert": upsert("market"),
  "vendor.removed": ({ serial }) => ({ id: `market ${String(serial)}` }),
  "house.upsert": upsert("house"),
  "house.decay": ({ from, to, ...row }) => {
    expect([from, to]).toEqual([expect.any(String), row["stage"]]);
    return { id: identify("house", row), row };
  },
  "house.removed": ({ serial }) => ({ id: `house ${String(serial)}` }),
  "guild.upsert": upsert("guild"),
  "guild.removed": ({ guildId }) => ({ id: `guild ${String(guildId)}` }),
  "governor.upsert": upsert("governor"),
  "points.board": upsert("points"),
};

const rowsOf = (seed: string): unknown[] => {
  const world = createWorld({ seed, now: noon, sizes: fullWorld });
  return families.map((family) => familyRows(world, family, noon));
};

/**
 * Returns the events without ids. `server.started` is left out, because it contains the boot id.
 */
const factsOf = ({ buffer }: Simulator): unknown[] =>
  buffer.log.slice(1).map(({ kind, t, payload }) => ({ kind, t, payload }));

const kindsOf = ({ buffer }: Simulator, from = 0): string[] =>
  buffer.log.slice(from).map(({ kind }) => kind);

const sorted = (rows: Iterable<unknown>): string[] =>
  [...rows].map((row) => JSON.stringify(row)).toSorted();

describe("the simulated world", () => {
  it("is the same for the same seed and clock, and different for another seed", async () => {
    expect(rowsOf("a")).toEqual(rowsOf("a"));
    expect(rowsOf("a")).not.toEqual(rowsOf("b"));
  });

  it("has the size of a real shard by default", () => {
    const world = createWorld({ seed: "1", now: noon, sizes: fullWorld });
    const listings = world.vendors.values().reduce((sum, { items }) => sum + items.length, 0);
    expect(world.vendors.size).toBe(400);
    expect(listings).toBeGreaterThan(18_000);
    expect(listings).toBeLessThan(22_000);
    expect(world.houses.size).toBe(800);
    expect(world.boards.size).toBe(28);
    expect(world.cities.size).toBe(9);
    expect(world.guilds.size).toBe(40);
  });

  it("has 120 players online after a full boot", async () => {
    const simulator = await start({ world: "full" });
    expect(simulator.world.online.size).toBe(120);
    const online = simulator.buffer.log.find(({ kind }) => kind === "presence.online");
    expect(online?.payload["count"]).toBe(120);
  });

  it("has players with linked accounts online from the start, but no staff", async () => {
    const { world } = await start({
      links: [
        { account: "maple", userId: 1 },
        { account: "gm_aldor", userId: 2 },
      ],
    });
    const online = world.online.values().map(({ account }) => account.name);
    expect(online).toContain("maple");
    expect(online).not.toContain("gm_aldor");
  });

  it("contains values that break naive readers, even if it is small", async () => {
    const { world } = await start();
    const vendors = world.vendors.values();
    const items = vendors.flatMap((vendor) => vendor.items);
    const prices = items.map(({ price }) => price);
    expect(prices).toEqual(expect.arrayContaining([0, -1, 1, 175_000_000]));
    expect(items.some(({ amount }) => amount === 60_000)).toBe(true);
    expect(items.some(({ args }) => args === "#1044061")).toBe(true);
    expect(items.some(({ cliloc, name }) => cliloc === null && name === null)).toBe(true);
    expect(vendors.some(({ place }) => place.map === "Internal")).toBe(true);
    expect(vendors.some(({ hidden }) => hidden)).toBe(true);
    expect(vendors.some(({ owner }) => owner === null)).toBe(true);
    expect(vendors.some(({ shopName }) => shopName?.includes("<") === true)).toBe(true);
    expect(vendors.some(({ unpublished }) => unpublished > 0)).toBe(true);
    const houses = world.houses.values();
    expect(houses.some(({ place }) => place.z < 0)).toBe(true);
    expect(houses.some(({ owner }) => owner === null)).toBe(true);
    expect(houses.some(({ stage }) => stage === "IDOC")).toBe(true);
    expect(houses.every(({ place }) => place.region === null)).toBe(true);
    const names = world.characters.values().map(({ name }) => name);
    expect(names.filter((name) => name === "D'Artagnan")).toHaveLength(2);
    const boards = world.boards.values();
    expect(boards.filter((board) => board.maxPoints === Number.MAX_VALUE)).toHaveLength(26);
    expect(boards.some((board) => board.scores.size === 0)).toBe(true);
    expect(world.guilds.values().some(({ leader }) => leader === null)).toBe(true);
  });
});

describe("the simulated events", () => {
  it("are identical for the same seed", async () => {
    const options = { seed: 7, incarnation: "one" };
    const [one, other] = [await start(options), await start(options)];
    one.happen(800);
    other.happen(800);
    expect(one.buffer.log).toEqual(other.buffer.log);
  });

  it("have other ids but the same content with another value of the option incarnation", async () => {
    const one = await start({ incarnation: "one" });
    const other = await start({ incarnation: "other" });
    one.happen(300);
    other.happen(300);
    expect(one.buffer.epoch).not.toBe(other.buffer.epoch);
    expect(one.game.bootId).not.toBe(other.game.bootId);
    expect(factsOf(one)).toEqual(factsOf(other));
    const keys = [one, other].flatMap(({ buffer }) =>
      buffer.log.flatMap(({ eventKey }) => eventKey ?? []),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("are different for another seed", async () => {
    const [one, other] = [await start({ seed: 1 }), await start({ seed: 2 })];
    one.happen(50);
    other.happen(50);
    expect(kindsOf(one)).not.toEqual(kindsOf(other));
  });

  it("include every kind of a shard after enough time", async () => {
    const simulator = await start();
    simulator.happen(12_000);
    const said = new Set(simulator.buffer.log.map(({ kind }) => kind));
    expect([...said].toSorted()).toEqual(kinds.toSorted());
  });

  it("start each boot with the ruleset, 28 boards, the online players and the economy", async () => {
    const { buffer } = await start();
    const said = buffer.log.map(({ kind }) => kind);
    expect(said).toEqual([
      "server.started",
      "world.ruleset",
      ...Array.from({ length: 28 }, () => "points.board"),
      "presence.online",
      "economy.snapshot",
    ]);
  });

  it("contain every change of the world, so that a copy built from them has the same rows", async () => {
    const simulator = await start();
    const { world, buffer } = simulator;
    const now = (): Map<string, Row> =>
      new Map(
        families
          .flatMap((family) => familyRows(world, family, noon).map((row) => [family, row] as const))
          .map(([family, row]) => [identify(family, row), row]),
      );
    const mirror = now();
    const from = buffer.log.length;
    simulator.happen(4_000);
    for (const { kind, payload } of buffer.log.slice(from)) {
      const change = changes[kind]?.(payload);
      if (change?.row) mirror.set(change.id, change.row);
      else if (change) mirror.delete(change.id);
    }
    expect(sorted(mirror)).toEqual(sorted(now()));
  });

  it("remove a sold item from its vendor, and report the vendor after the sale", async () => {
    const simulator = await start({ mix: { market: 5 } });
    simulator.happen(400);
    const { log } = simulator.buffer;
    const sales = log.filter(({ kind }) => kind === "vendor.sale");
    expect(sales.length).toBeGreaterThan(5);
    for (const sale of sales) {
      const told = log[log.indexOf(sale) + 1]?.payload as unknown as VendorUpsert;
      const item = sale.payload["item"] as Row;
      expect(told.vendor.serial).toBe(sale.payload["vendor"]);
      expect(told.items.map(({ serial }) => serial)).not.toContain(item["serial"]);
    }
  });

  it("can be limited to some kinds of events by the option mix", async () => {
    const silent = Object.fromEntries(
      "account champion city deed guild help house market presence progress server"
        .split(" ")
        .map((domain) => [domain, 0]),
    );
    const simulator = await start({ mix: silent });
    const from = simulator.buffer.log.length;
    simulator.happen(80);
    const said = new Set(simulator.buffer.log.slice(from).map(({ kind }) => kind));
    expect([...said]).toEqual(expect.arrayContaining(["speech", "chat.message", "admin.audit"]));
    expect(said.has("presence.region")).toBe(false);
  });

  it("are generated at a rate, and not at rate 0", async () => {
    const simulator = await start({ rate: 2_000 });
    const from = simulator.buffer.log.length;
    await new Promise((resolve) => {
      simulator.buffer.onAppend(() => {
        if (simulator.buffer.log.length > from + 300) resolve(undefined);
      });
    });
    expect((await callSim(simulator, "POST", "/rate", { rate: 0 })).body).toEqual({ rate: 0 });
    const stood = simulator.buffer.log.length;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(simulator.buffer.log).toHaveLength(stood);
  });
});

describe("the routes for tests", () => {
  it("return every emitted event in pages", async () => {
    const simulator = await start();
    simulator.faults.trigger("recreate", { repeat: 3 });
    simulator.faults.trigger("frame", { form: "oddKind" });
    simulator.faults.trigger("gap", { count: 1 });
    const first = (await callSim(simulator, "GET", "/log?limit=10")).body as LogPage;
    const rest = (await callSim(simulator, "GET", `/log?after=${first.next}`)).body as LogPage;
    const events = [...first.events, ...rest.events];
    expect(first.events).toHaveLength(10);
    expect(rest.total).toBe(simulator.buffer.log.length);
    expect(events.map(({ n }) => n)).toEqual(events.map((_, index) => index + 1));
    expect(new Set(events.map(({ epoch }) => epoch)).size).toBe(2);
    expect(events[0]).toEqual({
      n: 1,
      epoch: events[0]?.epoch,
      seq: 1,
      eventKey: simulator.buffer.log[0]?.eventKey,
      kind: "server.started",
      t: noon,
      bootId: simulator.game.bootId,
      payload: simulator.buffer.log[0]?.payload,
      lost: false,
      form: null,
      stored: true,
    });
    expect(events.find(({ form }) => form === "oddKind")?.stored).toBe(false);
    expect(events.filter(({ lost }) => lost).every(({ stored }) => !stored)).toBe(true);
  });

  it("emit events, create link codes and return the world", async () => {
    const simulator = await start();
    const emitted = await callSim(simulator, "POST", "/emit", {
      kind: "world.broadcast",
      payload: { text: "hi", hue: 1, access: "Player" },
      eventKey: "mine",
    });
    expect(emitted.body).toMatchObject({ kind: "world.broadcast", eventKey: "mine", stored: true });
    const { body } = await callSim(simulator, "POST", "/happen", { count: 20 });
    expect((body as { happened: number }).happened).toBeGreaterThanOrEqual(20);
    const { code } = (await callSim(simulator, "POST", "/codes", { account: "MAPLE" })).body as {
      code: string;
    };
    const world = (await callSim(simulator, "GET", "/world")).body as { codes: string[] };
    expect(world.codes).toContain(code);
    const rows = (await callSim(simulator, "GET", "/rows?family=market")).body;
    expect(rows).toEqual({ rows: familyRows(simulator.world, "market", noon) });
    expect(await callSim(simulator, "GET", "/rows?family=weather")).toEqual({
      status: 404,
      body: { code: "NOT_FOUND" },
    });
    expect((await callSim(simulator, "GET", "/status")).body).toEqual({
      epoch: simulator.buffer.epoch,
      head: simulator.buffer.head,
      oldest: 1,
      acked: 0,
      logged: simulator.buffer.log.length,
      bootId: simulator.game.bootId,
      pluginConnected: true,
      clientConnected: false,
      rate: 0,
    });
  });

  it("reject unknown paths and invalid input", async () => {
    const simulator = await start();
    expect((await callSim(simulator, "GET", "/nothing")).status).toBe(404);
    expect((await callSim(simulator, "POST", "/rate", { rate: -1 })).status).toBe(400);
    expect((await callSim(simulator, "POST", "/emit", { kind: "x" })).status).toBe(400);
  });
});

describe("the simulator process", () => {
  it("prints one line when it is ready and exits on SIGTERM", async () => {
    const main = new URL("main.ts", import.meta.url).pathname;
    const flags = ["--port", "0", "--world", "small", "--rate", "50", "--token", "x"];
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

  it.each([
    [{ protocol: 9 }, "protocol must be 7 or 8"],
    [{ rate: -1 }, "rate must not be negative"],
    [{ world: "huge" as "full" }, "world must be full, small or sizes"],
    [{ prefix: "bridge" }, "prefix must be a path such as /bridge"],
    [{ links: [{ account: "nobody", userId: 1 }] }, "the world has no account nobody to link"],
    [
      { faults: [{ fault: "drop" as const, afterMs: 1, ms: 5 }] },
      "ms is no option of it: code, terminate",
    ],
    [
      { faults: [{ fault: "drop" as const }] },
      "drop must be due afterEvents or afterMs, one of the two",
    ],
  ])("does not start with the options %j", async (options, message) => {
    await expect(start(options)).rejects.toThrow(message);
  });
});

interface LogPage {
  readonly events: readonly {
    readonly n: number;
    readonly epoch: string;
    readonly form: string | null;
    readonly lost: boolean;
    readonly stored: boolean;
  }[];
  readonly next: number;
  readonly total: number;
}
