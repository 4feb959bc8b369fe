import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { audienceLadder } from "../../shared/platform/access/roles.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import { featureNames, features } from "../../shared/shard/visibility/features.ts";
import { checkVisibilityUpdate } from "../../shared/shard/visibility/visibility-update.ts";
import {
  maySeeField,
  findFeatureAccess,
  mergeVisibility,
  reachableFeatures,
  createFieldCheck,
  visibilityConfig,
  type VisibilityOverrides,
} from "../../shared/shard/visibility/visibility.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { anyOverrides, anyRung } from "./arbitraries.ts";

const open = { enabled: true, audience: "anonymous", stream: true, fieldRules: {} };

const defaults = {
  status: open,
  online: open,
  presence: { ...open, fieldRules: { byRegion: "anonymous" } },
  houses: { ...open, fieldRules: { name: "anonymous", region: "anonymous" } },
  leaderboards: { ...open, fieldRules: { name: "anonymous" } },
  ruleset: open,
  market: {
    ...open,
    stream: false,
    fieldRules: { location: "anonymous", ownerSerial: "anonymous", ownerName: "anonymous" },
  },
  atlas: { ...open, stream: false },
  champions: { ...open, fieldRules: { damagers: "anonymous" } },
  governors: open,
  guilds: { ...open, fieldRules: { members: "logged_in" } },
  deeds: { ...open, audience: "logged_in", fieldRules: { location: "staff" } },
  announcements: open,
};

function refusalOf(update: unknown, stored: VisibilityOverrides = {}): unknown {
  try {
    checkVisibilityUpdate(update, stored);
  } catch (error) {
    return error;
  }
  return null;
}

function faultsOf(update: unknown, stored?: VisibilityOverrides): unknown {
  const refusal = refusalOf(update, stored);
  expect(refusal).toBeInstanceOf(AppError);
  expect(refusal).toMatchObject({ kind: "invalid", message: "Validation failed" });
  return (refusal as AppError).faults;
}

describe("visibilityConfig", () => {
  it("returns the access levels, the locked fields, the defaults and the current settings", () => {
    expect(visibilityConfig({ market: { audience: "player" } })).toEqual({
      ladder: ["anonymous", "logged_in", "player", "staff", "admin"],
      lockedFields: ["acct", "webId"],
      defaults,
      features: { ...defaults, market: { ...defaults.market, audience: "player" } },
      revision: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });
});

describe("mergeVisibility", () => {
  it("replaces defaults by stored values key by key, and keeps the other defaults", () => {
    const merged = mergeVisibility({
      houses: { enabled: false, fieldRules: { region: "player" } },
      deeds: { stream: false },
    });
    expect(merged).toEqual({
      ...defaults,
      houses: { ...open, enabled: false, fieldRules: { name: "anonymous", region: "player" } },
      deeds: { ...defaults.deeds, stream: false },
    });
  });

  it("ignores unknown stored features and values, so that the row of an older release makes nothing visible", () => {
    const stored = JSON.parse(`{
      "casino": { "audience": "anonymous" },
      "deeds": { "audience": "everyone", "fieldRules": { "location": "nobody", "acct": "anonymous" } }
    }`) as VisibilityOverrides;
    expect(mergeVisibility(stored)).toEqual(defaults);
  });
});

describe("checkVisibilityUpdate", () => {
  it("merges an update key by key into the stored settings", () => {
    const stored: VisibilityOverrides = {
      market: { audience: "player", fieldRules: { location: "staff" } },
      guilds: { enabled: false },
    };
    const update = {
      features: {
        market: { stream: true, fieldRules: { ownerName: "logged_in" } },
        houses: { audience: "logged_in" },
      },
    };
    expect(checkVisibilityUpdate(update, stored)).toEqual({
      market: {
        audience: "player",
        stream: true,
        fieldRules: { location: "staff", ownerName: "logged_in" },
      },
      guilds: { enabled: false },
      houses: { audience: "logged_in" },
    });
  });

  it.each([
    ["a feature", { market: null }, { guilds: { enabled: false } }],
    [
      "a key",
      { market: { audience: null } },
      { market: { fieldRules: { location: "staff" } }, guilds: { enabled: false } },
    ],
    [
      "all field rules",
      { market: { fieldRules: null } },
      { market: { audience: "player" }, guilds: { enabled: false } },
    ],
    [
      "a field rule",
      { market: { fieldRules: { location: null } } },
      { market: { audience: "player" }, guilds: { enabled: false } },
    ],
    [
      "the last key, and with it the feature",
      { guilds: { enabled: null } },
      {
        market: { audience: "player", fieldRules: { location: "staff" } },
      },
    ],
    [
      "what was never set",
      { atlas: { stream: null }, online: null },
      {
        market: { audience: "player", fieldRules: { location: "staff" } },
        guilds: { enabled: false },
      },
    ],
  ])("resets %s to its default by null", (_, change, expected) => {
    const stored: VisibilityOverrides = {
      market: { audience: "player", fieldRules: { location: "staff" } },
      guilds: { enabled: false },
    };
    expect(checkVisibilityUpdate({ features: change }, stored)).toEqual(expected);
  });

  it("names every fault with its path in one answer", () => {
    const update = {
      features: {
        casino: { enabled: true },
        market: {
          audience: "everyone",
          enabled: "true",
          audiance: "admin",
          fieldRules: { acct: "admin", webId: null, price: "admin", location: "nobody" },
        },
        houses: "staff",
        deeds: { audience: "admin" },
      },
    };
    const rungs = "[anonymous, logged_in, player, staff, admin, null]";
    expect(faultsOf(update)).toEqual([
      {
        path: "features.houses",
        message: "features.houses must be of type object",
      },
      {
        path: "features.market.enabled",
        message: "features.market.enabled must be a boolean",
      },
      {
        path: "features.market.audience",
        message: `features.market.audience must be one of ${rungs}`,
      },
      {
        path: "features.market.fieldRules.acct",
        message: "features.market.fieldRules.acct cannot be changed: only administrators see it",
      },
      {
        path: "features.market.fieldRules.webId",
        message: "features.market.fieldRules.webId cannot be changed: only administrators see it",
      },
      {
        path: "features.market.fieldRules.location",
        message: `features.market.fieldRules.location must be one of ${rungs}`,
      },
      {
        path: "features.market.fieldRules.price",
        message: "features.market.fieldRules.price is not allowed",
      },
      {
        path: "features.market.audiance",
        message: "features.market.audiance is not allowed",
      },
      { path: "features.casino", message: "features.casino is not allowed" },
    ]);
  });

  it("refuses a rule for the location of online players", () => {
    expect(faultsOf({ features: { online: { fieldRules: { location: "anonymous" } } } })).toEqual([
      {
        path: "features.online.fieldRules.location",
        message: "features.online.fieldRules.location is not allowed",
      },
    ]);
  });

  it.each(featureNames.flatMap((name) => ["acct", "webId"].map((field) => [name, field] as const)))(
    "refuses, for the feature %s, any rule for the field %s, even one that names admins",
    (name, field) => {
      const path = `features.${name}.fieldRules.${field}`;
      expect(faultsOf({ features: { [name]: { fieldRules: { [field]: "admin" } } } })).toEqual([
        { path, message: `${path} cannot be changed: only administrators see it` },
      ]);
    },
  );

  it.each([
    ["no features", {}, "features is required"],
    ["features that are null", { features: null }, "features must be of type object"],
    ["features in a list", { features: [] }, "features must be of type object"],
  ])("refuses %s", (_, update, message) => {
    expect(faultsOf(update)).toEqual([{ path: "features", message }]);
  });

  it("throws only a validation error, whatever it gets", () => {
    fc.assert(
      fc.property(fc.anything(), (garbage) => {
        const refusal = refusalOf({ features: { market: garbage } });
        expect(refusal === null || refusal instanceof AppError).toBe(true);
      }),
    );
  });

  it("applies the given keys, keeps the other keys, and resets each feature that is null", () => {
    fc.assert(
      fc.property(anyOverrides, anyOverrides, (stored, given) => {
        const next = mergeVisibility(checkVisibilityUpdate({ features: given }, stored));
        const before = mergeVisibility(stored);
        for (const name of featureNames) {
          const change = given[name] ?? {};
          expect(next[name]).toEqual({
            ...before[name],
            ...change,
            fieldRules: { ...before[name].fieldRules, ...change.fieldRules },
          });
        }
        const resets = Object.fromEntries(featureNames.map((name) => [name, null]));
        expect(checkVisibilityUpdate({ features: resets }, stored)).toEqual({});
      }),
    );
  });

  it("accepts the settings that visibilityConfig returns, without changing any setting", () => {
    fc.assert(
      fc.property(anyOverrides, (stored) => {
        const { features: inForce } = visibilityConfig(stored);
        const next = checkVisibilityUpdate({ features: inForce }, stored);
        expect(mergeVisibility(next)).toEqual(inForce);
      }),
    );
  });

  it("does not modify the stored value, whether it accepts or refuses an update", () => {
    const stored: VisibilityOverrides = { market: { fieldRules: { location: "staff" } } };
    checkVisibilityUpdate({ features: { market: { fieldRules: { location: null } } } }, stored);
    faultsOf({ features: { market: { stream: true, audience: 7 } } }, stored);
    expect(stored).toEqual({ market: { fieldRules: { location: "staff" } } });
  });
});

describe("PUT /admin/shard/visibility", () => {
  let server: TestServer;
  let admin: SignedIn;
  beforeAll(async () => {
    server = await startTestServer();
    admin = await signIn(server, { role: "admin" });
  });
  afterAll(() => server.stop());

  it.each([
    '{ "__proto__": { "enabled": false } }',
    '{ "market": { "__proto__": { "enabled": false } } }',
    '{ "market": { "fieldRules": { "__proto__": "admin" } } }',
    '{ "market": { "enabled": false }, "houses": { "__proto__": null } }',
  ])("refuses the key __proto__ in %s, and changes nothing", async (given) => {
    const { headers } = admin;
    const body = `{ "features": ${given} }`;
    const refused = await callRoute(server, "PUT /admin/shard/visibility", { headers, body });
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [{ path: "features", message: "features must not name __proto__" }],
      },
    ]);
    const { body: left } = await callRoute(server, "GET /admin/shard/visibility", { headers });
    expect(left).toMatchObject({ features: defaults });
  });
});

describe("findFeatureAccess", () => {
  it("opens a feature to its audience and all higher access levels", () => {
    const visibility = mergeVisibility({ market: { audience: "player" } });
    expect(audienceLadder.map((rung) => findFeatureAccess(visibility, "market", rung))).toEqual([
      "gated",
      "gated",
      "open",
      "open",
      "open",
    ]);
  });

  it("closes a disabled feature to everyone, including admins", () => {
    const visibility = mergeVisibility({ market: { enabled: false } });
    expect(audienceLadder.map((rung) => findFeatureAccess(visibility, "market", rung))).toEqual(
      audienceLadder.map(() => "disabled"),
    );
  });
});

describe("maySeeField", () => {
  const visibility = mergeVisibility({ market: { fieldRules: { location: "player" } } });
  const seenBy = (field: string) =>
    audienceLadder.filter((rung) => maySeeField(visibility, "market", field, rung));

  it("shows a gateable field to the access level of its rule and all higher levels", () => {
    expect(seenBy("location")).toEqual(["player", "staff", "admin"]);
    expect(seenBy("ownerName")).toEqual([...audienceLadder]);
  });

  it("shows account fields only to admins", () => {
    expect(seenBy("acct")).toEqual(["admin"]);
    expect(seenBy("webId")).toEqual(["admin"]);
  });

  it("shows a field without a rule to nobody", () => {
    expect(seenBy("price")).toEqual([]);
    expect(seenBy("constructor")).toEqual([]);
  });

  it("agrees with the function createFieldCheck that views use", () => {
    fc.assert(
      fc.property(
        anyOverrides,
        fc.constantFrom(...featureNames),
        anyRung,
        fc.constantFrom("location", "name", "members", "acct", "toString"),
        (stored, feature, rung, field) => {
          const merged = mergeVisibility(stored);
          expect(createFieldCheck(merged, feature, rung)(field)).toBe(
            maySeeField(merged, feature, field, rung),
          );
        },
      ),
    );
  });
});

describe("reachableFeatures", () => {
  it("lists the features that an access level may read, in the catalog's order", () => {
    const visibility = mergeVisibility({
      market: { audience: "player" },
      atlas: { audience: "admin" },
      guilds: { enabled: false },
    });
    const everyone = featureNames.filter(
      (name) => !["market", "atlas", "guilds", "deeds"].includes(name),
    );
    expect(reachableFeatures(visibility, "anonymous")).toEqual(everyone);
    expect(reachableFeatures(visibility, "admin")).toEqual(
      featureNames.filter((name) => name !== "guilds"),
    );
  });

  it("lists for a higher access level all features of a lower level", () => {
    fc.assert(
      fc.property(anyOverrides, (stored) => {
        const visibility = mergeVisibility(stored);
        const reached = audienceLadder.map((rung) => reachableFeatures(visibility, rung));
        for (const [at, lower] of reached.slice(0, -1).entries()) {
          expect(reached[at + 1]).toEqual(expect.arrayContaining(lower));
        }
      }),
    );
  });
});

describe("the catalog of features", () => {
  it("has no feature that gates a locked field", () => {
    for (const { fieldRules } of Object.values(features)) {
      expect(Object.keys(fieldRules)).not.toEqual(expect.arrayContaining(["acct"]));
      expect(Object.keys(fieldRules)).not.toEqual(expect.arrayContaining(["webId"]));
    }
  });
});
