import { describe, expect, it } from "vitest";

import {
  readBans,
  readPlayerList,
  readServerInfo,
  readVersion,
  type ServerInfo,
  variableReader,
} from "../../../shared/survival/webrcon/console-answers.ts";
import {
  GameTracker,
  readGameHours,
  readSaveTime,
} from "../../../shared/survival/webrcon/game-tracker.ts";
import { PlayerTracker } from "../../../shared/survival/webrcon/player-tracker.ts";
import { anna, bert } from "./started-feed.ts";

const at = (text: string): number => Date.parse(`${text}Z`);
const now = at("2025-06-20T12:00:00");

describe("the creation time of a save", () => {
  const facts = { now, startedAt: at("2025-06-19T08:00:00"), order: null, known: null } as const;
  it.each([
    ["6/5/2025 6:02:11 PM", "2025-06-05T18:02:11"],
    ["6/5/2025 12:02:11 AM", "2025-06-05T00:02:11"],
    ["06/19/2025 18:02:11", "2025-06-19T18:02:11"],
    ["19/06/2025 18:02:11", "2025-06-19T18:02:11"],
    ["05.06.2025 18:02:11", "2025-06-05T18:02:11"],
    ["2025-06-05 18:02:11", "2025-06-05T18:02:11"],
    // With the day first, this date would be in the future.
    ["05/08/2025 10:00:00", "2025-05-08T10:00:00"],
    ["06/06/2025 10:00:00", "2025-06-06T10:00:00"],
  ])("is read as UTC: %s", (text, expected) => {
    expect(readSaveTime(text, facts)).toBe(at(expected));
  });

  it.each(["", "soon", "31.31.2025 10:00:00", "06/05/2025", "05/06/2025 25:00:00"])(
    "is null if the text is not a valid date: %j",
    (text) => {
      expect(readSaveTime(text, facts)).toBeNull();
    },
  );

  it("is null if two dates are possible, unless only one is after the start of the process", () => {
    const text = "03/05/2025 10:00:00";
    expect(readSaveTime(text, facts)).toBeNull();
    const startedAt = at("2025-05-03T09:59:00");
    expect(readSaveTime(text, { ...facts, startedAt })).toBe(at("2025-05-03T10:00:00"));
  });

  it("is read in the order of day and month that another date of the host proves, if two dates are possible", () => {
    const text = "03/05/2025 10:00:00";
    const read = (order: "dayFirst" | "monthFirst") => readSaveTime(text, { ...facts, order });
    expect(read("dayFirst")).toBe(at("2025-05-03T10:00:00"));
    expect(read("monthFirst")).toBe(at("2025-03-05T10:00:00"));
  });

  it("has the month first with a 12-hour clock, unless another date or the future proves the opposite", () => {
    const text = "5/06/2025 6:02:11 PM";
    const [dayFirst, monthFirst] = [at("2025-06-05T18:02:11"), at("2025-05-06T18:02:11")];
    expect(readSaveTime(text, facts)).toBe(monthFirst);
    expect(readSaveTime(text, { ...facts, order: "dayFirst" })).toBe(dayFirst);
    // With the month first, this date would be in the future.
    expect(readSaveTime("6/07/2025 6:02:11 PM", facts)).toBe(at("2025-06-07T18:02:11"));
    expect(readSaveTime("7/06/2025 6:02:11 PM", facts)).toBe(at("2025-06-07T18:02:11"));
  });

  it("is read in the proven order, even if only the other order gives a date after the start of the process", () => {
    const text = "03/05/2025 10:00:00";
    const startedAt = at("2025-05-03T09:59:00");
    const read = readSaveTime(text, { ...facts, startedAt, order: "monthFirst" });
    expect(read).toBe(at("2025-03-05T10:00:00"));
  });

  it.each(["2025-05-03T10:00:00", "2025-03-05T10:00:00"])(
    "equals the stored time if the text can be read as this time: %s",
    (known) => {
      const text = "03/05/2025 10:00:00";
      for (const order of ["dayFirst", "monthFirst", null] as const) {
        expect(readSaveTime(text, { ...facts, order, known: at(known) })).toBe(at(known));
      }
      const other = { ...facts, order: "dayFirst", known: at("2025-01-01T10:00:00") } as const;
      expect(readSaveTime(text, other)).toBe(at("2025-05-03T10:00:00"));
    },
  );

  it("is read as a date, and the game's time of day in the same form is read as hours", () => {
    expect(readGameHours("06/05/2025 18:30:00")).toBe(18.5);
    expect(readGameHours("6/5/2025 6:15:00 AM")).toBe(6.25);
    expect(readGameHours("now")).toBeNull();
  });
});

const info = (changes: Partial<ServerInfo> = {}): ServerInfo => ({
  hostname: "Emberfall",
  players: 0,
  maxPlayers: 100,
  queued: 0,
  joining: 0,
  entities: 1,
  gameTime: "06/05/2025 18:02:11",
  uptimeSec: 3_600,
  level: "Procedural Map",
  fps: 60,
  isRestarting: false,
  saveCreated: "06/19/2025 18:02:11",
  protocol: "2600.287.1",
  ...changes,
});

describe("the game process and the world", () => {
  it("stay the same over a new connection", () => {
    const game = new GameTracker();
    expect(game.update(info(), now)).toEqual({ isNewBoot: false, wiped: null });
    const { bootId, world } = game;
    game.markBreak();
    const later = game.update(info({ uptimeSec: 3_660 }), now + 60_000);
    expect(later).toEqual({ isNewBoot: false, wiped: null });
    expect([game.bootId, game.world]).toEqual([bootId, world]);
  });

  it("change with a restart that wipes", () => {
    const game = new GameTracker();
    game.update(info(), now);
    const { bootId, world } = game;
    game.markBreak();
    const saveCreated = "06/20/2025 12:01:00";
    const change = game.update(info({ uptimeSec: 30, saveCreated }), now + 90_000);
    expect(change).toEqual({ isNewBoot: true, wiped: world });
    expect(game.world?.saveId).toBe(at("2025-06-20T12:01:00"));
    expect(game.bootId).not.toBe(bootId);
  });

  const startedAt = now - 3_600_000;
  it.each([
    [59_000, true],
    [-59_000, true],
    [61_000, false],
    [-61_000, false],
  ])(
    "have the stored id only if the stored start differs by less than a minute (%i ms: %s)",
    (differenceMs, isSame) => {
      const game = new GameTracker();
      const stored = { bootId: "stored", startedAt: startedAt + differenceMs, saveId: null };
      game.restore(stored);
      expect(game.update(info(), now)).toEqual({ isNewBoot: false, wiped: null });
      expect(game.bootId === "stored").toBe(isSame);
      expect(game.startedAt).toBe(isSame ? stored.startedAt : startedAt);
    },
  );

  it("recognize the stored save if day and month of its creation date are reported in another order", () => {
    const game = new GameTracker();
    const saveId = at("2025-05-06T10:00:00");
    game.restore({ bootId: null, startedAt: null, saveId });
    game.update(info({ saveCreated: "06/05/2025 10:00:00", gameTime: "13/05/2025 1:00:00" }), now);
    expect(game.world?.saveId).toBe(at("2025-05-06T10:00:00"));
  });

  it("report no wipe for a new creation date on the same connection, or for an older save", () => {
    const game = new GameTracker();
    game.update(info(), now);
    const { world } = game;
    const saveCreated = "06/20/2025 11:00:00";
    expect(game.update(info({ uptimeSec: 3_610, saveCreated }), now + 10_000).wiped).toBeNull();
    expect(game.world).toEqual(world);
    game.markBreak();
    const older = info({ uptimeSec: 10, saveCreated: "06/01/2025 10:00:00" });
    expect(game.update(older, now + 60_000)).toEqual({ isNewBoot: true, wiped: null });
    expect(game.world?.saveId).toBe(at("2025-06-01T10:00:00"));
  });
});

const listed = (player: typeof anna, connectedSec: number) => ({
  ...player,
  ownerSteamId: null,
  connectedSec,
});

describe("the players on a server", () => {
  it("are reported as joins and leaves after the first list", () => {
    const players = new PlayerTracker();
    expect(players.update([listed(anna, 100)], now)).toEqual({ joined: [], left: [] });
    const connectedAt = now + 10_000;
    const joined = [{ ...bert, connectedAt }];
    const both = [listed(anna, 115), listed(bert, 5)];
    expect(players.update(both, now + 15_000)).toEqual({ joined, left: [] });
    players.setReason(bert.steamId, "closing");
    const left = [{ ...bert, connectedAt, reason: "closing" }];
    expect(players.update([listed(anna, 130)], now + 30_000)).toEqual({ joined: [], left });
  });

  it("keep the start of their session in every list", () => {
    const players = new PlayerTracker();
    players.update([listed(anna, 100)], now);
    const before = players.sessions;
    for (const lateMs of [700, 15_900, 30_100]) {
      const seconds = Math.floor((100_000 + lateMs) / 1_000) - 1;
      const change = players.update([listed(anna, seconds)], now + lateMs);
      expect([change, players.sessions]).toEqual([{ joined: [], left: [] }, before]);
    }
  });

  it("keep the stored start of their session if it differs by 5 seconds at most", () => {
    for (const [differenceMs, isKept] of [
      [5_000, true],
      [-5_000, true],
      [10_000, false],
      [-10_000, false],
    ] as const) {
      const players = new PlayerTracker();
      const storedAt = now - 100_000 + differenceMs;
      players.restore(new Map([[anna.steamId, storedAt]]));
      expect(players.update([listed(anna, 100)], now)).toEqual({ joined: [], left: [] });
      const [session] = players.sessions;
      expect(session?.connectedAt).toBe(isKept ? storedAt : now - 100_000);
    }
  });

  it("are reported as left and joined if they reconnect between two lists", () => {
    const players = new PlayerTracker();
    players.update([listed(anna, 100)], now);
    const { joined, left } = players.update([listed(anna, 3)], now + 60_000);
    expect([joined.length, left.length]).toEqual([1, 1]);
  });
});

describe("answers of the console", () => {
  it("are read only if they have the expected form", () => {
    expect(readServerInfo("Saving complete")).toBeUndefined();
    expect(readServerInfo("{}")).toBeUndefined();
    expect(readPlayerList("{}")).toBeUndefined();
    expect(readPlayerList("[1]")).toBeUndefined();
    expect(readPlayerList("[")).toBeUndefined();
    expect(readPlayerList("[]")).toEqual([]);
  });

  it("are not read if they are much longer than the game's answers", () => {
    const fields = { Hostname: "Emberfall", MaxPlayers: 100 };
    expect(readServerInfo(JSON.stringify(fields))).toMatchObject({ maxPlayers: 100 });
    expect(readServerInfo(JSON.stringify({ ...fields, x: "x".repeat(70_000) }))).toBeUndefined();
    expect(readPlayerList(`[${" ".repeat(1_000_000)}]`)).toEqual([]);
    expect(readPlayerList(`[${" ".repeat(1_100_000)}]`)).toBeUndefined();
  });

  it("are read as a list of players without their addresses", () => {
    const row = {
      SteamID: anna.steamId,
      OwnerSteamID: bert.steamId,
      DisplayName: "Anna",
      Address: "203.0.113.7:1",
      ConnectedSeconds: 12,
    };
    const bot = { ...row, SteamID: "434922" };
    const read = { ...anna, ownerSteamId: bert.steamId, connectedSec: 12 };
    expect(readPlayerList(JSON.stringify([row, bot]))).toEqual([read]);
  });

  it("are read as the value of a variable", () => {
    const read = variableReader("server.seed");
    expect(read('server.seed: "1337"')).toBe("1337");
    expect(read('server.seed: changed from "1" to "2"')).toBe("1");
    expect(read('server.seed: "a\\"b"')).toBe('a"b');
    expect(read('server.level: "x"')).toBeUndefined();
  });

  it("are read as a version", () => {
    expect(readVersion("Server is running Oxide 2.0.6511 and Rust 2600.287.1")).toBe("2.0.6511");
    expect(readVersion("Command not found")).toBeUndefined();
  });

  it("are read as bans in the newer and the older form", () => {
    const text = [
      `1 ${anna.steamId} "An\\"na" "griefing \\"base\\"" 1764201600`,
      `2 ${bert.steamId} "Bert" "aimbot" -1`,
      `3 ${bert.steamId} "Bert" "older form"`,
      "3 users",
    ].join("\r\n");
    expect(readBans(text)).toEqual([
      {
        steamId: anna.steamId,
        name: 'An"na',
        reason: 'griefing "base"',
        expiresAt: 1_764_201_600_000,
      },
      { ...bert, reason: "aimbot", expiresAt: null },
      { ...bert, reason: "older form", expiresAt: null },
    ]);
  });
});
