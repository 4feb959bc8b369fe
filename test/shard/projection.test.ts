import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { audienceLadder, type Rung } from "../../shared/platform/access/roles.ts";
import { type ShardKindName, kindNames, kinds } from "../../shared/shard/kinds/kinds.ts";
import { viewPublicHouse } from "../../shared/shard/public/houses.ts";
import { viewPointsBoard } from "../../shared/shard/public/points.ts";
import {
  type EventReach,
  projectEvent,
  projectEventForAdmin,
} from "../../shared/shard/streams/projection.ts";
import type { PayloadView } from "../../shared/shard/visibility/view.ts";
import { mergeVisibility, type Visibility } from "../../shared/shard/visibility/visibility.ts";
import { anyOverrides, anyRung } from "./arbitraries.ts";
import { samples } from "./samples.ts";

const standard = mergeVisibility({});
const publicKinds = kindNames.filter((name) => kinds[name].feature !== null);

const eventOf = (kind: string, payload: object, reach: EventReach = "public") => ({
  kind,
  reach,
  payload: payload as Record<string, unknown>,
});

const project = (name: ShardKindName, rung: Rung, visibility: Visibility = standard) =>
  projectEvent(eventOf(name, samples[name]), rung, visibility);

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === "object" && given !== null && !Array.isArray(given);

const without = (object: object | undefined, ...fields: string[]) =>
  Object.fromEntries(Object.entries(object ?? {}).filter(([name]) => !fields.includes(name)));

describe("projectEvent", () => {
  const maple = { serial: "0x0000A001", name: "D'Artagnan" };
  const birch = { serial: "0x0000A0FF", name: "Mary-Anne" };
  const altar = { id: "0x40004D21", name: "Despise", type: "VerminHorde", group: "FelDungeons" };
  const altarPlace = { map: "Felucca", x: 5557, y: 824, z: 65, region: "Despise" };
  const guild = { guildId: 17, name: "The Iron Hall", abbr: "IRON", type: "Regular" };
  const wild = { map: "Felucca", x: 2312, y: 1150, z: 0, region: null };

  const toAdmins: { readonly [Name in ShardKindName]?: object } = {
    "server.started": { shard: "Guildhall Demo", version: "ServUO Pub 58", expansion: "EJ" },
    "server.stopping": { reason: "crash" },
    "server.restart.scheduled": { at: 1_764_203_600_000, delaySec: 3_600 },
    "economy.snapshot": { accounts: 1_204, gold: 4_000_000_000_000, t: 1_764_200_000_000 },
    "world.ruleset": samples["world.ruleset"],
    "world.broadcast": { text: "The gates open at dusk.", hue: 1_154 },
    "towncrier.added": samples["towncrier.added"],
    "towncrier.removed": samples["towncrier.removed"],
    "presence.online": {
      count: 3,
      facets: { Malas: 2, Felucca: 1 },
      regions: { Luna: 2 },
    },
    "presence.login": maple,
    "presence.logout": maple,
    "house.decay": { serial: "0x40012B00", stage: "IDOC", ...wild, name: "An Unnamed House" },
    "house.removed": { serial: "0x40012B00", reason: "collapsed" },
    "points.board": samples["points.board"],
    "champ.start": { ...altar, location: altarPlace, level: 2, startLevel: 2 },
    "champ.progress": samples["champ.progress"],
    "champ.boss": {
      ...altar,
      champion: "Barracoon",
      serial: "0x00031A00",
      location: altarPlace,
    },
    "champ.end": samples["champ.end"],
    "governor.election": {
      city: "Britain",
      phase: "voting",
      until: 1_764_372_800_000,
      candidates: [maple, birch],
    },
    "governor.result": samples["governor.result"],
    "guild.created": { ...guild, leader: maple, members: [maple, birch] },
    "guild.joined": { guildId: 17, abbr: "IRON", ...birch },
    "guild.left": { guildId: 17, abbr: "IRON", ...birch },
    "guild.disbanded": guild,
    "guild.war": samples["guild.war"],
    "player.death": {
      ...maple,
      killerSerial: null,
      killerName: "an ancient lich",
      killerType: "AncientLich",
      pvp: false,
      location: wild,
    },
    "creature.kill": {
      type: "AncientWyrm",
      killer: maple,
      paragon: true,
      location: { map: "Ilshenar", x: 382, y: 328, z: -30, region: "Valor" },
    },
    "drop.artifact": samples["drop.artifact"],
    "drop.scroll": samples["drop.scroll"],
  };

  it("is tested for every kind that can be public", () => {
    expect(Object.keys(toAdmins).toSorted()).toEqual(publicKinds.toSorted());
  });

  it.each(publicKinds)("gives admins only those fields of %s that its view declares", (name) => {
    expect(project(name, "admin")).toEqual(toAdmins[name]);
  });

  it.each(publicKinds)("gives anonymous callers %s by the default rules", (name) => {
    const gated: { readonly [Name in ShardKindName]?: object | null } = {
      "guild.created": without(toAdmins["guild.created"], "members"),
      "guild.joined": { guildId: 17, abbr: "IRON" },
      "guild.left": { guildId: 17, abbr: "IRON" },
      "player.death": null,
      "creature.kill": null,
      "drop.artifact": null,
      "drop.scroll": null,
    };
    expect(project(name, "anonymous")).toEqual(name in gated ? gated[name] : toAdmins[name]);
  });

  it("gives deaths of players to signed-in callers, and the place of a death only to staff", () => {
    const placeless = without(toAdmins["player.death"], "location");
    expect(audienceLadder.map((rung) => project("player.death", rung))).toEqual([
      null,
      placeless,
      placeless,
      toAdmins["player.death"],
      toAdmins["player.death"],
    ]);
  });

  it("omits fields that a rule gates above the caller's access level", () => {
    const visibility = mergeVisibility({
      presence: { fieldRules: { byRegion: "staff" } },
      houses: { fieldRules: { name: "admin", region: "player" } },
      leaderboards: { fieldRules: { name: "logged_in" } },
      champions: { fieldRules: { damagers: "admin" } },
    });
    expect(project("presence.online", "player", visibility)).toEqual({
      count: 3,
      facets: { Malas: 2, Felucca: 1 },
    });
    expect(project("house.decay", "staff", visibility)).toEqual(
      without(toAdmins["house.decay"], "name"),
    );
    expect(project("house.decay", "logged_in", visibility)).toEqual(
      without(toAdmins["house.decay"], "name", "region"),
    );
    expect(project("points.board", "anonymous", visibility)).toEqual({
      ...samples["points.board"],
      top: [
        { rank: 1, serial: "0x0000A001", points: 15_000 },
        { rank: 2, serial: "0x0000A0FF", points: 9_120 },
      ],
    });
    expect(project("champ.end", "staff", visibility)).toEqual(
      without(samples["champ.end"], "damagers"),
    );
  });

  it("shows the votes of an election once it has ended", () => {
    const election = { ...samples["governor.election"], phase: "ended" };
    expect(projectEvent(eventOf("governor.election", election), "anonymous", standard)).toEqual({
      city: "Britain",
      phase: "ended",
      until: 1_764_372_800_000,
      candidates: [
        { ...maple, votes: 12 },
        { ...birch, votes: 9 },
      ],
    });
  });

  it("gives an event to the access levels at or above the audience, and to no lower level", () => {
    const visibility = mergeVisibility({ champions: { audience: "staff" } });
    expect(audienceLadder.map((rung) => project("champ.progress", rung, visibility))).toEqual([
      null,
      null,
      null,
      samples["champ.progress"],
      samples["champ.progress"],
    ]);
  });

  it.each([
    ["is disabled", { enabled: false }],
    ["does not stream", { stream: false }],
  ])("gives no caller any event of a feature that %s", (_, override) => {
    const visibility = mergeVisibility({ champions: override });
    expect(audienceLadder.map((rung) => project("champ.start", rung, visibility))).toEqual(
      audienceLadder.map(() => null),
    );
  });

  it.each(["staff", "none"] as const)(
    "gives no caller an event that was stored with the reach %s",
    (reach) => {
      for (const name of kindNames) {
        expect(projectEvent(eventOf(name, samples[name], reach), "admin", standard)).toBeNull();
      }
    },
  );

  it("gives no caller an event of a kind without a feature, known or unknown", () => {
    const names = [...kindNames.filter((name) => kinds[name].feature === null), "casino.jackpot"];
    for (const name of [...names, "constructor", "toString"]) {
      expect(projectEvent(eventOf(name, maple), "admin", standard)).toBeNull();
    }
  });

  it("omits values of another type than declared, and never throws", () => {
    const board = { system: { acct: "maple" }, top: "none", players: 2 };
    expect(projectEvent(eventOf("points.board", board), "admin", standard)).toEqual({ players: 2 });
    fc.assert(
      fc.property(
        fc.constantFrom(...kindNames),
        fc.dictionary(fc.string(), fc.jsonValue()),
        anyRung,
        (name, garbage, rung) => {
          const mixed = { ...samples[name], ...garbage };
          for (const payload of [garbage, mixed]) {
            const projected = projectEvent(eventOf(name, payload), rung, standard);
            expect(projected === null || isObject(projected)).toBe(true);
          }
        },
      ),
    );
  });
});

const secret = "canary-7c1f";
const secretNumber = 987_654_321;

const accountFields = {
  acct: secret,
  ownerAcct: secret,
  accounts: [secret],
  webId: secretNumber,
  ip: secret,
  exception: secret,
  actor: { acct: secret, ip: secret },
  sender: { acct: secret, webId: secretNumber },
};

/** Fields with objects whose keys are data. */
const openNames = new Set(["byMap", "byRegion", "periods"]);

/** Adds account fields with secrets, and unknown fields, to all objects of a payload. */
function poisoned(given: unknown, extra: string): unknown {
  if (Array.isArray(given)) return given.map((item) => poisoned(item, extra));
  if (!isObject(given)) return given;
  const fields = Object.entries(given).map(([key, item]) => [
    key,
    openNames.has(key) ? { ...(item as object), [extra]: secret } : poisoned(item, extra),
  ]);
  return {
    ...Object.fromEntries(fields),
    ...accountFields,
    [`${extra}Newer`]: { [extra]: secret, nested: [accountFields] },
  };
}

/** Returns the paths of fields in `shown` that the view does not declare. */
function undeclared(view: PayloadView, shown: Record<string, unknown>, at = ""): string[] {
  return Object.entries(shown).flatMap(([name, left]) => {
    const field = view[name];
    const path = `${at}.${name}`;
    if (!field) return [path];
    const nested = (Array.isArray(left) ? left : [left]).filter(isObject);
    if (field.as === "counts") {
      return nested.every((item) => Object.values(item).every(Number.isFinite)) ? [] : [path];
    }
    return nested.flatMap((item) => undeclared(field.fields ?? {}, item, path));
  });
}

/** Returns true if `more` contains all values of `less` at the same places. */
function isWithin(less: unknown, more: unknown): boolean {
  if (Array.isArray(less)) {
    return (
      Array.isArray(more) &&
      less.length === more.length &&
      less.every((item, at) => isWithin(item, more[at]))
    );
  }
  if (!isObject(less)) return Object.is(less, more);
  return (
    isObject(more) &&
    Object.entries(less).every(([name, item]) => name in more && isWithin(item, more[name]))
  );
}

describe("all events on the public stream", () => {
  const anyExtra = fc.string({ minLength: 1 }).filter((name) => name !== "__proto__");

  it("contain no secret and no undeclared field, at any depth, access level or configuration", () => {
    fc.assert(
      fc.property(anyOverrides, anyExtra, (stored, extra) => {
        const visibility = mergeVisibility(stored);
        for (const name of kindNames) {
          const event = eventOf(name, poisoned(samples[name], extra) as object);
          for (const rung of audienceLadder) {
            const shown = projectEvent(event, rung, visibility);
            if (shown === null) continue;
            expect(JSON.stringify(shown)).not.toMatch(/canary-7c1f|987654321/);
            expect(undeclared(kinds[name].view, shown)).toEqual([]);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("contain for a higher access level every field that they contain for a lower level", () => {
    fc.assert(
      fc.property(anyOverrides, (stored) => {
        const visibility = mergeVisibility(stored);
        for (const name of publicKinds) {
          const shown = audienceLadder.map((rung) => project(name, rung, visibility));
          for (const [at, less] of shown.slice(0, -1).entries()) {
            expect(less === null || isWithin(less, shown[at + 1])).toBe(true);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("have no account field in any view, at any depth", () => {
    const namesOf = (view: PayloadView): string[] =>
      Object.entries(view).flatMap(([name, { from, fields }]) => [
        name,
        ...(from ? [from] : []),
        ...namesOf(fields ?? {}),
      ]);
    const shown = new Set(kindNames.flatMap((name) => namesOf(kinds[name].view)));
    // Leave out `accounts`: in the economy it is a number of accounts.
    const { accounts: _, ...never } = { ...accountFields, ownerSerial: secret, buyer: secret };
    expect(Object.keys(never).filter((name) => shown.has(name))).toEqual([]);
  });
});

describe("projectEventForAdmin", () => {
  it("carries the whole payload as it is stored", () => {
    const event = eventOf("admin.audit", samples["admin.audit"], "staff");
    expect(projectEventForAdmin(event)).toEqual(samples["admin.audit"]);
  });
});

describe("viewPublicHouse", () => {
  const updatedAt = new Date("2026-11-21T08:00:00Z");
  const house = { ...samples["house.upsert"], stage: "IDOC", updatedAt };

  it("shows the place of a house and no data of its owner", () => {
    expect(viewPublicHouse(house, () => true)).toEqual({
      serial: "0x40012B00",
      stage: "IDOC",
      map: "Felucca",
      x: 2312,
      y: 1150,
      z: 0,
      region: null,
      name: "An Unnamed House",
      isIdoc: true,
      updatedAt,
    });
  });

  it("omits fields that the caller may not see", () => {
    expect(viewPublicHouse({ ...house, stage: "Fairly" }, () => false)).toEqual({
      serial: "0x40012B00",
      stage: "Fairly",
      map: "Felucca",
      x: 2312,
      y: 1150,
      z: 0,
      isIdoc: false,
      updatedAt,
    });
  });
});

describe("viewPointsBoard", () => {
  const updatedAt = new Date("2026-11-21T08:00:00Z");
  const row = { ...samples["points.board"], updatedAt, createdBy: "nobody" };

  it("shows the board and its ranks", () => {
    expect(viewPointsBoard(row, () => true)).toEqual({ ...samples["points.board"], updatedAt });
  });

  it("omits the names of its ranks if they are gated", () => {
    expect(viewPointsBoard(row, (field) => field !== "name")).toEqual({
      ...samples["points.board"],
      top: [
        { rank: 1, serial: "0x0000A001", points: 15_000 },
        { rank: 2, serial: "0x0000A0FF", points: 9_120 },
      ],
      updatedAt,
    });
  });
});
