import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { audienceLadder, type Rung } from "../../shared/platform/access/roles.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import {
  listVisibleLayers,
  findLiveAccess,
  filterLiveMap,
  listVisibleMonuments,
} from "../../shared/survival/visibility/map-view.ts";
import { checkSurvivalVisibilityUpdate } from "../../shared/survival/visibility/visibility-update.ts";
import {
  mergeSurvivalVisibility,
  defaultSurvivalVisibility,
  type SurvivalVisibilityOverrides,
} from "../../shared/survival/visibility/visibility.ts";

const seen = new Set(["airfield", "launchsite", "__proto__"]);

const update = (change: unknown, stored: SurvivalVisibilityOverrides = {}) =>
  checkSurvivalVisibilityUpdate(change, stored, seen);

const faultsOf = (change: unknown) => {
  try {
    update(change);
    return [];
  } catch (error) {
    return error instanceof AppError ? error.faults?.map(({ path }) => path) : error;
  }
};

describe("the visibility of survival servers", () => {
  it("opens presence to signed-in users, rosters to players and positions to staff by default", () => {
    expect(mergeSurvivalVisibility({})).toEqual({
      presence: "logged_in",
      roster: "player",
      profiles: "anonymous",
      liveMap: { card: true, audience: "anonymous" },
      layers: { world: "anonymous", events: "anonymous", players: "staff", bases: "staff" },
    });
  });

  it("ignores stored values that are unknown or below the lowest allowed level", () => {
    const stored = JSON.parse(`{
      "presence": "everyone", "casino": "admin", "liveMap": { "audience": "nobody" },
      "layers": { "players": "anonymous", "bases": "player", "sea": "admin" }
    }`) as SurvivalVisibilityOverrides;
    expect(mergeSurvivalVisibility(stored)).toEqual(defaultSurvivalVisibility);
  });
});

describe("an update of the visibility", () => {
  const stored: SurvivalVisibilityOverrides = {
    presence: "anonymous",
    liveMap: { card: false, audience: "player" },
    layers: { players: "admin", world: "logged_in" },
    monuments: { airfield: false },
  };

  it("changes only the parts that it names", () => {
    const change = {
      roster: "staff",
      liveMap: { card: true },
      layers: { events: "player" },
      monuments: [{ label: "launchsite", shown: false }],
    };
    expect(update(change, stored)).toEqual({
      presence: "anonymous",
      roster: "staff",
      liveMap: { card: true, audience: "player" },
      layers: { players: "admin", world: "logged_in", events: "player" },
      monuments: { airfield: false, launchsite: false },
    });
  });

  it.each<[object, keyof SurvivalVisibilityOverrides, object | undefined]>([
    [{ presence: null }, "presence", undefined],
    [{ liveMap: null }, "liveMap", undefined],
    [{ liveMap: { card: null } }, "liveMap", { audience: "player" }],
    [{ liveMap: { card: null, audience: null } }, "liveMap", undefined],
    [{ layers: null }, "layers", undefined],
    [{ layers: { players: null } }, "layers", { world: "logged_in" }],
    [{ monuments: null }, "monuments", undefined],
    [{ monuments: [{ label: "airfield", shown: null }] }, "monuments", undefined],
    [{ monuments: [{ label: "airfield", shown: true }] }, "monuments", undefined],
    [{ monuments: [] }, "monuments", { airfield: false }],
  ])("resets stored values to their defaults: %j", (change, part, left) => {
    const { [part]: _, ...others } = stored;
    expect(update(change, stored)).toEqual({ ...others, ...(left && { [part]: left }) });
  });

  it.each<[unknown, string[]]>([
    [{ presence: "everyone" }, ["presence"]],
    [{ presence: 1, roster: "", casino: "admin" }, ["presence", "roster", "casino"]],
    [{ layers: { players: "player", bases: "anonymous" } }, ["layers.players", "layers.bases"]],
    [{ layers: { sea: "admin" } }, ["layers.sea"]],
    [{ liveMap: { card: "yes", audience: "nobody" } }, ["liveMap.card", "liveMap.audience"]],
    [{ monuments: [{ label: "atlantis", shown: true }] }, ["monuments.0.label"]],
    [{ monuments: [{ label: "airfield" }] }, ["monuments.0.shown"]],
    [
      {
        monuments: [
          { label: "airfield", shown: true },
          { label: "airfield", shown: false },
        ],
      },
      ["monuments.1"],
    ],
    [{ defaults: {} }, ["defaults"]],
    [null, [""]],
    [[], [""]],
    ["presence", [""]],
  ])("is refused as a whole for %j, and names each error", (change, paths) => {
    expect(faultsOf(change)).toEqual(paths);
  });

  it("accepts a monument label that is the name of a built-in object property", () => {
    const change = JSON.parse('{"monuments":[{"label":"__proto__","shown":false}]}');
    const next = update(change);
    expect(Object.keys(next.monuments ?? {})).toEqual(["__proto__"]);
    const monuments = [{ label: "__proto__" }, { label: "constructor" }];
    expect(listVisibleMonuments(next, defaultSurvivalVisibility, "anonymous", monuments)).toEqual([
      { label: "constructor" },
    ]);
  });
});

const canary = { secret: "canary" };
const live = {
  events: [{ id: "1", type: "cargo", x: 1, z: 2, label: null, ...canary }],
  players: [{ steamId: "7", name: "Ann", x: 3, z: 4, rotation: 0, health: 9, ip: "canary" }],
  bases: [{ id: "b", x: 5, z: 6, owner: "7", auth: ["7", canary], code: "canary" }],
};

const events = [{ id: "1", type: "cargo", x: 1, z: 2, label: null }];

describe("the live map", () => {
  it.each<[Rung, object]>([
    ["anonymous", { events }],
    ["player", { events }],
    [
      "staff",
      {
        events,
        players: [{ steamId: "7", name: "Ann", x: 3, z: 4, rotation: 0, health: 9 }],
        bases: [{ id: "b", x: 5, z: 6, owner: "7", auth: ["7"] }],
      },
    ],
  ])("shows %s the layers for that access level, each with its declared fields", (rung, layers) => {
    expect(filterLiveMap(defaultSurvivalVisibility, rung, live)).toEqual({
      hidden: false,
      audience: "anonymous",
      layers,
    });
  });

  it("shows an empty layer as an empty list, and omits layers that the caller may not see", () => {
    expect(filterLiveMap(defaultSurvivalVisibility, "anonymous", {}).layers).toEqual({
      events: [],
    });
  });

  it("hides all its layers from callers whose access level is below the audience", () => {
    const visibility = mergeSurvivalVisibility({ liveMap: { audience: "player" } });
    expect(filterLiveMap(visibility, "logged_in", live)).toEqual({
      hidden: true,
      audience: "player",
      layers: {},
    });
    expect(filterLiveMap(visibility, "player", live).hidden).toBe(false);
  });

  it("is off for everyone except staff if it is switched off", () => {
    const visibility = mergeSurvivalVisibility({ liveMap: { card: false } });
    expect(audienceLadder.map((rung) => findLiveAccess(visibility, rung))).toEqual([
      "off",
      "off",
      "off",
      "open",
      "open",
    ]);
  });

  it("shows no players and bases to callers below staff, whatever is stored", () => {
    const rung = fc.constantFrom(...audienceLadder, "nobody" as Rung);
    const stored = fc.record({
      liveMap: fc.record({ card: fc.boolean(), audience: rung }),
      layers: fc.record({ world: rung, events: rung, players: rung, bases: rung }),
    });
    fc.assert(
      fc.property(stored, fc.constantFrom("anonymous", "logged_in", "player"), (overrides, at) => {
        const visibility = mergeSurvivalVisibility(overrides);
        const { layers } = filterLiveMap(visibility, at, live);
        expect(layers).not.toHaveProperty("players");
        expect(layers).not.toHaveProperty("bases");
        expect(JSON.stringify(layers)).not.toContain("canary");
        expect(listVisibleLayers(visibility, at)).toMatchObject({ players: false, bases: false });
      }),
    );
  });
});

describe("the monuments of the map", () => {
  const monuments = [{ label: "airfield", x: 1 }, { label: "airfield", x: 2 }, { label: "harbor" }];

  it("are shown to everyone, except those with a hidden label", () => {
    const stored = { monuments: { airfield: false, harbor: true } };
    for (const rung of audienceLadder) {
      expect(listVisibleMonuments(stored, defaultSurvivalVisibility, rung, monuments)).toEqual([
        { label: "harbor" },
      ]);
    }
  });

  it("are not shown to callers below the audience of the world layer", () => {
    const visibility = mergeSurvivalVisibility({ layers: { world: "player" } });
    expect(listVisibleMonuments({}, visibility, "logged_in", monuments)).toEqual([]);
    expect(listVisibleMonuments({}, visibility, "player", monuments)).toEqual(monuments);
  });
});
