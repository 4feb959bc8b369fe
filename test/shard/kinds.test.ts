import * as fc from "fast-check";
import Joi from "joi";
import { describe, expect, it } from "vitest";

import { pushStreamNames, streamOf } from "../../shared/facts/streams.ts";
import { type ShardKind, definePublicKind } from "../../shared/shard/kinds/kind.ts";
import { checkPayload, findShardKind, kindNames, kinds } from "../../shared/shard/kinds/kinds.ts";
import { snapshotFamilies } from "../../shared/shard/kinds/live-states.ts";
import { decideReach, findPushRule } from "../../shared/shard/streams/projection.ts";
import { retentionOf } from "../../shared/shard/streams/prune-events.ts";
import { featureNames } from "../../shared/shard/visibility/features.ts";
import {
  type PayloadFields,
  gatedView,
  listViewGates,
  listView,
} from "../../shared/shard/visibility/view.ts";
import { families } from "../simulator/world/families.ts";
import { samples } from "./samples.ts";

const kindsWhere = (holds: (name: (typeof kindNames)[number]) => boolean): string[] =>
  kindNames.filter(holds).toSorted();

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === "object" && given !== null && !Array.isArray(given);

/** Yields copies of a payload. In each copy, one plain value is replaced by `wrong`. */
function* replacements(given: unknown, wrong: unknown): Generator<[path: string, unknown]> {
  if (Array.isArray(given)) {
    for (const [at, item] of given.entries()) {
      for (const [path, next] of replacements(item, wrong)) {
        yield [`[${at}]${path}`, given.with(at, next)];
      }
    }
  } else if (isObject(given)) {
    for (const [key, item] of Object.entries(given)) {
      for (const [path, next] of replacements(item, wrong)) {
        yield [`.${key}${path}`, { ...given, [key]: next }];
      }
    }
  } else {
    yield ["", wrong];
  }
}

/** Adds an unknown field to all objects of a payload, except to objects whose keys are data. */
function withUnknownFields(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(withUnknownFields);
  if (!isObject(given)) return given;
  const known = Object.entries(given).map(([key, item]) => [
    key,
    ["byMap", "byRegion", "periods"].includes(key) ? item : withUnknownFields(item),
  ]);
  return { ...Object.fromEntries(known), newer: { nested: [1, "two", null] } };
}

/** Returns a payload as the service stores it. */
function after(name: string, payload: PayloadFields): PayloadFields {
  const checked = checkPayload(name, payload);
  if ("reason" in checked) throw new Error(checked.reason);
  return checked.payload;
}

describe("the catalog of event kinds", () => {
  it("lists the kinds of each feature, and no other kind can be public", () => {
    const byFeature = Object.fromEntries(
      featureNames.map((feature) => [
        feature,
        kindsWhere((name) => kinds[name].feature === feature),
      ]),
    );
    expect(byFeature).toEqual({
      status: ["economy.snapshot", "server.restart.scheduled", "server.started", "server.stopping"],
      online: ["presence.login", "presence.logout"],
      presence: ["presence.online"],
      houses: ["house.decay", "house.removed"],
      leaderboards: ["points.board"],
      ruleset: ["world.ruleset"],
      market: [],
      atlas: [],
      champions: ["champ.boss", "champ.end", "champ.progress", "champ.start"],
      governors: ["governor.election", "governor.result"],
      guilds: ["guild.created", "guild.disbanded", "guild.joined", "guild.left", "guild.war"],
      deeds: ["creature.kill", "drop.artifact", "drop.scroll", "player.death"],
      announcements: ["towncrier.added", "towncrier.removed", "world.broadcast"],
    });
    const staffAlone = kindsWhere((name) => kinds[name].feature === null);
    expect(staffAlone).toEqual(kindsWhere((name) => Object.keys(kinds[name].view).length === 0));
    expect(staffAlone).toEqual([
      "account.audit",
      "account.created",
      "account.gold",
      "account.linked",
      "account.login",
      "account.unlinked",
      "admin.audit",
      "bod",
      "character.created",
      "character.deleted",
      "character.renamed",
      "chat.message",
      "cheat.fastwalk",
      "cheat.multiclient",
      "cheat.speedhack",
      "craft",
      "fame",
      "governor.snapshot.begin",
      "governor.snapshot.end",
      "governor.snapshot.page",
      "governor.upsert",
      "guild.removed",
      "guild.snapshot.begin",
      "guild.snapshot.end",
      "guild.snapshot.page",
      "guild.upsert",
      "harvest",
      "house.snapshot.begin",
      "house.snapshot.end",
      "house.snapshot.page",
      "house.upsert",
      "ip.limit",
      "karma",
      "market.snapshot.begin",
      "market.snapshot.end",
      "market.snapshot.page",
      "page.close",
      "page.open",
      "page.update",
      "player.murder",
      "points.award",
      "points.snapshot.begin",
      "points.snapshot.end",
      "points.snapshot.page",
      "presence.region",
      "quest.complete",
      "server.heartbeat",
      "server.hello",
      "server.save",
      "skill.gain",
      "speech",
      "stat.cap",
      "tame",
      "vendor.removed",
      "vendor.sale",
      "vendor.upsert",
      "virtue",
      "world.map.changed",
    ]);
  });

  it("names the kinds that replace an entry of a live state", () => {
    expect(kindsWhere((name) => findShardKind(name)?.feeds?.as === "upsert")).toEqual([
      "economy.snapshot",
      "governor.upsert",
      "guild.upsert",
      "house.upsert",
      "points.board",
      "presence.online",
      "vendor.upsert",
      "world.ruleset",
    ]);
  });

  it("names the kinds that change an entry of a live state or remove it", () => {
    const moves = kindNames.flatMap((name) => {
      const feeds = findShardKind(name)?.feeds;
      return feeds?.as === "merge" || feeds?.as === "remove" ? [[name, feeds.state, feeds.as]] : [];
    });
    expect(new Set(moves)).toEqual(
      new Set([
        ["account.audit", "punishments", "merge"],
        ["account.linked", "links", "merge"],
        ["account.unlinked", "links", "remove"],
        ["guild.removed", "guild", "remove"],
        ["house.decay", "house", "merge"],
        ["house.removed", "house", "remove"],
        ["presence.login", "presence", "merge"],
        ["presence.logout", "presence", "remove"],
        ["vendor.removed", "market", "remove"],
      ]),
    );
  });

  it("names the begin, page and end kinds of a snapshot by its family", () => {
    const parts = kindNames.flatMap((name) => {
      const feeds = findShardKind(name)?.feeds;
      return feeds && ["begin", "page", "end"].includes(feeds.as) ? [[name, feeds]] : [];
    });
    const expected = snapshotFamilies.flatMap((state) =>
      ["begin", "page", "end"].map((as) => [`${state}.snapshot.${as}`, { state, as }]),
    );
    expect(Object.fromEntries(parts)).toEqual(Object.fromEntries(expected));
  });

  it("has the same snapshot families as the simulator", () => {
    expect(families.toSorted()).toEqual(snapshotFamilies.toSorted());
  });

  it("names the kinds with fields that rules can hide, by feature", () => {
    const carried = kindNames.flatMap((name) => {
      const kind = findShardKind(name);
      return kind ? listViewGates(kind.view).map((gate) => `${kind.feature}.${gate}: ${name}`) : [];
    });
    expect([...new Set(carried)]).toEqual([
      "presence.byRegion: presence.online",
      "houses.region: house.decay",
      "houses.name: house.decay",
      "leaderboards.name: points.board",
      "champions.damagers: champ.end",
      "guilds.members: guild.created",
      "guilds.members: guild.joined",
      "guilds.members: guild.left",
      "deeds.location: player.death",
      "deeds.location: creature.kill",
      "deeds.location: drop.artifact",
      "deeds.location: drop.scroll",
    ]);
  });

  it("refuses a kind if a field that rules can hide has no rule in its feature", () => {
    const view = { names: listView({ name: gatedView("winners") }) };
    const docs = { about: "", example: {} };
    expect(() => definePublicKind(Joi.object(), { feature: "champions", view, ...docs })).toThrow(
      "the feature champions has no rule for the field winners",
    );
  });

  it("pushes to everyone only kinds that can be public", () => {
    const pushed = kindNames.flatMap((name) => {
      const push = findShardKind(name)?.push;
      return push ? [[name, push]] : [];
    });
    expect(Object.fromEntries(pushed)).toMatchObject({
      "server.started": { public: "server.status" },
      "server.stopping": { public: "server.status" },
      "house.decay": {
        public: "idoc.warning",
        personal: { stream: "house.idoc", owner: "ownerAcct" },
      },
      "champ.start": { public: "champ.start" },
      "governor.election": { public: "governor.election" },
      "governor.result": { public: "governor.election" },
      "vendor.sale": { personal: { stream: "vendor.sale", owner: "ownerAcct" } },
      "account.login": { personal: { stream: "account.login", owner: "acct" } },
    });
    for (const name of kindsWhere((kind) => findShardKind(kind)?.push?.public !== undefined)) {
      expect(findShardKind(name)?.feature).not.toBeNull();
    }
  });

  it("covers every push stream that no other part of the service feeds", () => {
    const othersOf = {
      "news.post": "the publishing of posts",
      "site.notice": "actions of events",
      "event.started": "runs of events",
      "event.completed": "runs of events",
      "appeal.update": "decisions on appeals",
      "market.match": "the matching of saved searches",
      "survival.server": "survival servers",
      "survival.wipe": "survival servers",
      "survival.account": "survival servers",
      "survival.staff": "survival servers",
      "survival.report": "survival servers",
    };
    const fed = kindNames.flatMap((name) => {
      const { push } = findShardKind(name) as ShardKind;
      return [push?.public, push?.personal?.stream].filter((stream) => stream !== undefined);
    });
    const all = [...new Set(fed), ...Object.keys(othersOf)];
    expect(all.toSorted()).toEqual([...pushStreamNames].toSorted());
  });

  it("finds no kind by the name of a built-in object property", () => {
    for (const name of ["constructor", "toString", "hasOwnProperty", "__proto__"]) {
      expect(findShardKind(name)).toBeUndefined();
    }
  });
});

describe("pushOf", () => {
  const fresh = { wasIdoc: false };

  it.each([
    [{ stage: "IDOC", from: "Greatly", to: "IDOC" }, fresh, true],
    [{ stage: "IDOC", from: "IDOC", to: "IDOC" }, fresh, false],
    [{ stage: "Greatly", from: "Greatly", to: "IDOC" }, fresh, true],
    [{ stage: "IDOC", from: "IDOC", to: "Collapsed" }, fresh, false],
    [{ stage: "IDOC", from: "Greatly", to: "IDOC" }, { wasIdoc: true }, true],
    [{ stage: "IDOC", from: "Greatly", to: null }, fresh, true],
    [{ stage: "IDOC", from: null, to: "IDOC" }, fresh, true],
    [{ stage: "IDOC", from: null, to: "IDOC" }, { wasIdoc: true }, false],
    [{ stage: "Fairly", from: null, to: null }, fresh, false],
  ] as const)(
    "pushes a house's decay only if the house becomes IDOC: %j",
    (fields, facts, isNews) => {
      const decay = { ...samples["house.decay"], ...fields };
      const expected = isNews ? kinds["house.decay"].push : null;
      expect(findPushRule("house.decay", decay, facts)).toEqual(expected);
    },
  );

  it("pushes only a successful sign-in to the owner", () => {
    const login = samples["account.login"];
    expect(findPushRule("account.login", login, fresh)).toEqual(kinds["account.login"].push);
    expect(findPushRule("account.login", { ...login, ok: false }, fresh)).toBeNull();
  });

  it("gives each public push stream the feature of its kind", () => {
    const pushed = kindNames.flatMap((name) => {
      const { push, feature } = findShardKind(name) as ShardKind;
      return push?.public ? [[name, feature, streamOf(push.public)] as const] : [];
    });
    expect(pushed.map(([name]) => name)).toEqual([
      "server.started",
      "server.stopping",
      "house.decay",
      "champ.start",
      "governor.election",
      "governor.result",
    ]);
    for (const [, feature, stream] of pushed) expect(stream).toMatchObject({ feature });
  });

  it("pushes no state, no staff event and no unknown kind", () => {
    for (const name of ["house.upsert", "admin.audit", "casino.jackpot"]) {
      expect(findPushRule(name, {}, fresh)).toBeNull();
    }
  });
});

describe("decideReach", () => {
  const facts = { linked: false, wasIdoc: false };

  it.each([
    ["presence.login", samples["presence.login"], { ...facts, linked: true }],
    ["presence.logout", samples["presence.logout"], { ...facts, linked: true }],
    ["house.removed", samples["house.removed"], { ...facts, wasIdoc: true }],
    ["house.decay", samples["house.decay"], facts],
    ["world.broadcast", samples["world.broadcast"], facts],
    ["champ.start", samples["champ.start"], facts],
  ])("makes %s public if the event meets the condition of its kind", (name, payload, known) => {
    expect(decideReach(name, payload, known)).toBe("public");
  });

  it.each([
    ["presence.login", samples["presence.login"], { ...facts, wasIdoc: true }],
    ["presence.logout", samples["presence.logout"], facts],
    ["house.removed", samples["house.removed"], { ...facts, linked: true }],
    ["house.decay", { ...samples["house.decay"], stage: "Greatly" }, facts],
    ["world.broadcast", { ...samples["world.broadcast"], access: "Counselor" }, facts],
    ["world.broadcast", { text: "no access named" }, facts],
  ])(
    "keeps %s for staff if the event does not meet the condition of its kind",
    (name, payload, known) => {
      expect(decideReach(name, payload, known)).toBe("staff");
    },
  );

  it("keeps every kind without a feature, known or unknown, for staff", () => {
    const all = { linked: true, wasIdoc: true };
    for (const name of kindsWhere((kind) => kinds[kind].feature === null)) {
      expect(decideReach(name, samples[name as (typeof kindNames)[number]], all)).toBe("staff");
    }
    expect(decideReach("casino.jackpot", {}, all)).toBe("staff");
  });
});

describe("retentionOf", () => {
  it("returns chatty for presence events, and long for account events and sales", () => {
    expect(kindsWhere((name) => retentionOf(name) === "chatty")).toEqual([
      "presence.login",
      "presence.logout",
      "presence.online",
      "presence.region",
      "server.heartbeat",
    ]);
    expect(kindsWhere((name) => retentionOf(name) === "long")).toEqual([
      "account.audit",
      "account.created",
      "account.gold",
      "account.linked",
      "account.login",
      "account.unlinked",
      "admin.audit",
      "vendor.sale",
    ]);
    expect(retentionOf("account.newer")).toBe("long");
    expect(retentionOf("casino.jackpot")).toBe("normal");
  });
});

describe("checkPayload", () => {
  it.each(kindNames)("accepts a valid %s unchanged", (name) => {
    expect(checkPayload(name, samples[name])).toEqual({ payload: samples[name] });
  });

  it.each(kindNames)("keeps undeclared fields of %s, at any depth", (name) => {
    const payload = withUnknownFields(samples[name]);
    expect(checkPayload(name, payload)).toEqual({ payload });
  });

  it.each(kindNames)("checks the type of each declared field of %s", (name) => {
    for (const [path, payload] of replacements(samples[name], { not: "plain" })) {
      expect([path, checkPayload(name, payload)]).toEqual([path, { reason: expect.any(String) }]);
    }
  });

  it.each(kindNames)(
    "coerces no value in %s, and refuses a number that is given as text",
    (name) => {
      for (const [path, payload] of replacements(samples[name], "17")) {
        const original = valueAt(samples[name], path);
        if (typeof original !== "number" && typeof original !== "boolean") continue;
        expect([path, checkPayload(name, payload)]).toEqual([path, { reason: expect.any(String) }]);
      }
    },
  );

  it("names the wrong field in a refusal and the reason", () => {
    const board = samples["points.board"];
    const top = [{ ...board.top[0], serial: "0xFFFFFFFF" }];
    expect(checkPayload("points.board", { ...board, top })).toEqual({
      reason: "top[0].serial must be a serial such as 0x40001A2B",
    });
  });

  it.each([
    ["an array", []],
    ["text", "hello"],
    ["null", null],
    ["nothing", undefined],
  ])("refuses %s as the payload of any kind", (_, payload) => {
    for (const name of ["champ.start", "casino.jackpot"]) {
      expect(checkPayload(name, payload)).toEqual({ reason: "payload must be an object" });
    }
  });

  it("accepts a payload of an unknown kind unchanged", () => {
    const payload = { serial: "0xa", anything: [1, { nested: true }] };
    expect(checkPayload("casino.jackpot", payload)).toEqual({ payload });
    expect(checkPayload("constructor", payload)).toEqual({ payload });
  });

  it("never throws, for any payload of any kind", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kindNames, "casino.jackpot"),
        fc.jsonValue(),
        (name, payload) => {
          const checked = checkPayload(name, payload);
          expect("payload" in checked || typeof checked.reason === "string").toBe(true);
        },
      ),
    );
  });

  it("never throws for a sample with one value replaced by random data", () => {
    fc.assert(
      fc.property(fc.constantFrom(...kindNames), fc.jsonValue(), fc.nat(), (name, garbage, at) => {
        const ways = [...replacements(samples[name], garbage)];
        const way = ways[at % ways.length];
        const checked = checkPayload(name, way?.[1]);
        expect("payload" in checked || typeof checked.reason === "string").toBe(true);
      }),
    );
  });

  it("returns an accepted payload unchanged if it is checked again", () => {
    fc.assert(
      fc.property(fc.constantFrom(...kindNames), fc.jsonValue(), fc.nat(), (name, garbage, at) => {
        const ways = [...replacements(samples[name], garbage)];
        const once = checkPayload(name, ways[at % ways.length]?.[1]);
        const again = "payload" in once ? checkPayload(name, once.payload) : once;
        expect(again).toEqual(once);
      }),
    );
  });
});

describe("a payload after checkPayload", () => {
  it("has serials in their canonical spelling, also in the rows of a snapshot", () => {
    expect(after("house.removed", { serial: "0x40012b00" })).toEqual({ serial: "0x40012B00" });
    const house = { serial: "0xa", stage: "Fairly", coOwners: ["0xb"] };
    const page = { snapshotId: "1", page: 1, rows: [house] };
    expect(after("house.snapshot.page", page)).toEqual({
      ...page,
      rows: [{ serial: "0x0000000A", stage: "Fairly", coOwners: ["0x0000000B"] }],
    });
  });

  it("has the field loc renamed to location", () => {
    const location = { map: "Malas", x: 990, y: 527, z: -50 };
    const end = { id: "0x40004D21", outcome: "expired" };
    expect(after("champ.end", { ...end, loc: location })).toEqual({ ...end, location });
  });

  it("has null in place of the year 1, by which the game means never", () => {
    const house = { serial: "0x40012B00", stage: "Ageless", lastTraded: -62_135_596_800_000 };
    expect(after("house.upsert", house)).toEqual({ ...house, lastTraded: null });
  });

  const board = { system: "VoidPool", top: [] };
  const ranked = (points: number) => ({
    ...board,
    top: [{ rank: 1, serial: "0x0000A001", name: "D'Artagnan", points }],
  });

  it.each([
    [15_000.9, 15_000],
    [-3.7, -3],
    [-0.2, 0],
    [0, 0],
    [Number.MAX_VALUE, Number.MAX_SAFE_INTEGER],
    [-Number.MAX_VALUE, -Number.MAX_SAFE_INTEGER],
  ])("has ranks with their %d points truncated to %d", (given, whole) => {
    expect(after("points.board", ranked(given))).toStrictEqual(ranked(whole));
  });

  it.each([
    [15_000.5, 15_000],
    [2 ** 53 - 1, 2 ** 53 - 1],
    [2 ** 53, null],
    [Number.MAX_VALUE, null],
    [null, null],
  ])("has a maximum of %d points stored as %d", (given, stored) => {
    expect(after("points.board", { ...board, maxPoints: given })).toEqual({
      ...board,
      maxPoints: stored,
    });
  });

  it("has no localized name number if a board has a literal name", () => {
    const literal = { ...board, nameString: "Gauntlet Points", nameNumber: null };
    expect(after("points.board", literal)).toEqual({ ...literal, nameNumber: 0 });
    const named = { ...board, nameString: null, nameNumber: 1_152_733 };
    expect(after("points.board", named)).toEqual(named);
  });
});

describe("checkPayload at its limits", () => {
  const board = { system: "VoidPool", top: [] };

  it("refuses an empty payload, except for kinds that need no fields", () => {
    expect(kindsWhere((name) => "payload" in checkPayload(name, {}))).toEqual([
      "bod",
      "character.deleted",
      "cheat.fastwalk",
      "cheat.multiclient",
      "cheat.speedhack",
      "economy.snapshot",
      "server.heartbeat",
      "server.hello",
      "server.restart.scheduled",
      "server.save",
      "server.started",
      "server.stopping",
      "world.ruleset",
    ]);
  });

  it.each([
    ["a board without a system", "points.board", { top: [] }],
    ["a board with a malformed system name", "points.board", { ...board, system: "Void Pool" }],
    [
      "a board with an underscore in its system name",
      "points.board",
      { ...board, system: "Void_Pool" },
    ],
    [
      "a board with a system name of 65 letters",
      "points.board",
      { ...board, system: "V".repeat(65) },
    ],
    ["a fraction of gold", "economy.snapshot", { gold: 0.5 }],
    ["negative gold", "economy.snapshot", { gold: -1 }],
    ["gold past 2^53", "economy.snapshot", { gold: 2 ** 53 + 2 }],
    ["a house at an unknown stage", "house.upsert", { serial: "0x40012B00", stage: "idoc" }],
    ["a house without a serial", "house.upsert", { stage: "IDOC" }],
    ["a house of serial zero", "house.upsert", { serial: "0x0", stage: "IDOC" }],
    [
      "a time beyond the range of dates",
      "house.upsert",
      { serial: "0x1", stage: "IDOC", builtOn: 9e15 },
    ],
    [
      "a number beyond the range of its column",
      "house.upsert",
      { serial: "0x1", stage: "IDOC", x: 2 ** 31 },
    ],
    [
      "a name too long for an index",
      "house.upsert",
      { serial: "0x1", stage: "IDOC", name: "n".repeat(501) },
    ],
    ["a vendor without its items", "vendor.upsert", { vendor: { serial: "0x1" } }],
    [
      "a page with a malformed row",
      "guild.snapshot.page",
      { snapshotId: "1", page: 1, rows: [{}] },
    ],
    ["a page before the first", "guild.snapshot.page", { snapshotId: "1", page: 0, rows: [] }],
    ["a snapshot without an id", "market.snapshot.begin", { pages: 1, count: 1 }],
    [
      "an election without a known phase",
      "governor.election",
      { city: "Britain", phase: "counting" },
    ],
    ["a count below zero", "presence.online", { count: -1 }],
    ["a text as a facet's count", "presence.online", { count: 1, byMap: { Malas: "1" } }],
  ])("refuses %s", (_, name, payload) => {
    expect(checkPayload(name, payload)).toEqual({ reason: expect.any(String) });
  });

  it.each([
    ["gold of 2^53", "economy.snapshot", { gold: 2 ** 53 }],
    ["null gold", "economy.snapshot", { gold: null }],
    ["an empty world", "presence.online", { count: 0, byMap: {}, players: [] }],
    ["an empty snapshot", "market.snapshot.begin", { snapshotId: "1", pages: 0, count: 0 }],
    ["a board without scores", "points.board", board],
    ["a city without a governor", "governor.upsert", { city: "Yew", governor: null }],
    [
      "an item that is not for sale",
      "vendor.upsert",
      {
        vendor: { serial: "0x00012F3A" },
        items: [{ serial: "0x400A91C2", itemId: 8901, amount: 1, price: -1 }],
      },
    ],
  ])("accepts %s", (_, name, payload) => {
    expect(checkPayload(name, payload)).toEqual({ payload });
  });
});

/** Returns the value at a path in a payload, for example `.top[0].points`. */
function valueAt(payload: unknown, path: string): unknown {
  let at = payload;
  for (const [, key, index] of path.matchAll(/\.([^.[]+)|\[(\d+)\]/g)) {
    at = (at as Record<string, unknown>)[key ?? index ?? ""];
  }
  return at;
}
