import { readFileSync } from "node:fs";
import path from "node:path";

import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { routes } from "../../api/routes.ts";
import type { ShardEvent } from "../../models/shard/shard-event.ts";
import type { Rung } from "../../shared/platform/access/roles.ts";
import { isInAudience } from "../../shared/platform/access/roles.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import {
  findShardKind,
  type ShardKindName,
  kindNames,
  kinds,
} from "../../shared/shard/kinds/kinds.ts";
import { featureNames, features } from "../../shared/shard/visibility/features.ts";
import {
  listViewGates,
  pickAllVisibleFields,
  type FieldView,
  type PayloadView,
} from "../../shared/shard/visibility/view.ts";
import {
  mergeVisibility,
  type Visibility,
  type VisibilityOverrides,
  writeVisibilityOverrides,
} from "../../shared/shard/visibility/visibility.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { requestUrl } from "../support/http/call.ts";
import { openStream } from "../support/http/event-stream.ts";
import { propertyRunsOf } from "../support/runner/lane.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { ingestTestEvents } from "../support/shard/planted-events.ts";
import { anyOverrides } from "./arbitraries.ts";
import { samples } from "./samples.ts";

const secret = "canary-secret";
const accountFields = {
  acct: secret,
  ownerAcct: secret,
  accounts: [secret],
  webId: 77_123,
  ip: secret,
};

/** A unique value for each field that a field rule may hide. */
const gatedCanaries: Readonly<Record<string, string>> = {
  "houses.name": "canary-house-name",
  "houses.region": "canary-house-region",
  "leaderboards.name": "canary-rank-name",
  "presence.byRegion": "canary-presence-region",
  "market.location": "canary-market-region",
  "market.ownerName": "canary-owner-name",
  "champions.damagers": "canary-damager",
  "guilds.members": "canary-member",
  "deeds.location": "canary-deed-region",
};

/** Objects that map data to values. A field added to them would count as another entry. */
const openMaps = ["byMap", "byRegion", "periods"];

/** Adds account fields to all objects of a payload. */
function poison(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(poison);
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.entries(value).map(
    ([key, item]) => [key, openMaps.includes(key) ? item : poison(item)] as const,
  );
  const { accounts } = value as { accounts?: unknown };
  // Keep the economy's field `accounts`: it is the number of accounts, not a list of names.
  const count = typeof accounts === "number" && { accounts };
  return { ...Object.fromEntries(inner), ...accountFields, canaryExtra: secret, ...count };
}

const poisoned = (kind: ShardKindName) => ({ kind, payload: poison(samples[kind]) as object });

const damager = { serial: "0x0000A0AA", name: gatedCanaries["champions.damagers"] };
const member = { serial: "0x0000A0AB", name: gatedCanaries["guilds.members"] };
const place = { map: "Malas", x: 1, y: 2, z: 3, region: gatedCanaries["deeds.location"] };

const gatedEvents = [
  {
    kind: "house.decay",
    payload: {
      ...samples["house.decay"],
      stage: "IDOC",
      name: gatedCanaries["houses.name"],
      region: gatedCanaries["houses.region"],
    },
  },
  {
    kind: "points.board",
    payload: {
      ...samples["points.board"],
      system: "CanaryBoard",
      top: [{ rank: 1, serial: "0x0000A001", name: gatedCanaries["leaderboards.name"], points: 1 }],
    },
  },
  {
    kind: "presence.online",
    payload: { count: 1, byMap: {}, byRegion: { "canary-presence-region": 1 }, players: [] },
  },
  { kind: "champ.end", payload: { ...samples["champ.end"], damagers: [damager] } },
  { kind: "guild.created", payload: { ...samples["guild.created"], members: [member] } },
  { kind: "player.death", payload: { ...samples["player.death"], location: place } },
  {
    kind: "vendor.upsert",
    payload: {
      ...samples["vendor.upsert"],
      vendor: {
        ...samples["vendor.upsert"].vendor,
        ownerName: gatedCanaries["market.ownerName"],
        location: { ...place, region: gatedCanaries["market.location"], house: null },
      },
    },
  },
];

const isObject = (given: unknown): given is object => typeof given === "object" && given !== null;
const isSerial = (given: unknown): boolean => typeof given === "string" && given.startsWith("0x");

/** Sets each field of a payload that a field rule may hide to its canary. */
function withCanaries(view: PayloadView, payload: object, feature: string, gate?: string): object {
  const fields = payload as Readonly<Record<string, unknown>>;
  const marked = Object.entries(view).map(([name, shown]) => {
    const key = shown.from ?? name;
    const rule = shown.gate ?? gate;
    return [key, withCanary(shown, fields[key], { feature, rule, key })] as const;
  });
  return { ...fields, ...Object.fromEntries(marked.filter(([, value]) => value !== undefined)) };
}

interface Gated {
  readonly feature: string;
  readonly rule: string | undefined;
  readonly key: string;
}

function withCanary(shown: FieldView, given: unknown, { feature, rule, key }: Gated): unknown {
  const canary = gatedCanaries[`${feature}.${rule}`];
  const marked = (one: object) => withCanaries(shown.fields ?? {}, one, feature, rule);
  if (shown.as === "object") return isObject(given) ? marked(given) : given;
  if (shown.as === "list") {
    const items = Array.isArray(given) ? (given as readonly object[]) : [];
    const [first = canary && { serial: "0x0000A0AC" }, ...rest] = items;
    return first ? [marked(first), ...rest] : given;
  }
  if (canary === undefined) return given;
  if (shown.as === "counts") return { [canary]: 1 };
  return ["name", "region"].includes(key) && !isSerial(given) ? canary : given;
}

/** The kinds that have fields which a rule may hide, each with these fields. */
const gatedKinds = kindNames.flatMap((kind) => {
  const { view, feature } = findShardKind(kind) ?? {};
  const gates = view
    ? listViewGates(view).filter((gate) => gatedCanaries[`${feature}.${gate}`])
    : [];
  return view && feature && gates.length > 0 ? [{ kind, view, feature, gates }] : [];
});

/** Returns the paths of a view's fields that a rule may hide, each with the name of the rule. */
const gatedPlaces = (view: PayloadView, way: string): string[] =>
  Object.entries(view).flatMap(([name, { gate, fields = {}, or }]) => [
    ...(gate === undefined ? [] : [`${way}.${name} ${gate}`]),
    ...gatedPlaces(fields, `${way}.${name}`),
    ...(or ? gatedPlaces({ [name]: or }, way) : []),
  ]);

/**
 * The fields of events that rules may hide, one per line. Remove a line only by a deliberate
 * decision.
 */
const frozenPlaces = readFileSync(
  path.join(import.meta.dirname, "../frozen/gated-places.txt"),
  "utf8",
)
  .trim()
  .split("\n");

/** An event of each kind with hideable fields. Each hideable field contains its canary. */
const markedEvents = gatedKinds
  .filter(({ kind }) => gatedEvents.every((event) => event.kind !== kind))
  .map(({ kind, view, feature }) => ({
    kind,
    payload: withCanaries(view, samples[kind], feature),
  }));

let server: TestServer;
const sessions = new Map<string, { rung: Rung; headers: Record<string, string> }>();

beforeAll(async () => {
  server = await startTestServer({
    environment: { SSE_MAX_PER_IP: "1000" },
    // A client that may not see the newest event advances only with a heartbeat, so send heartbeats
    // often.
    streams: { heartbeatMs: 20 },
  });
  await ingestTestEvents(server.context, [
    ...kindNames.map(poisoned),
    ...markedEvents,
    ...gatedEvents,
  ]);
  sessions.set("anonymous", { rung: "anonymous", headers: {} });
  for (const role of ["player", "moderator", "editor", "admin"] as const) {
    const { headers } = await signIn(server, { role });
    const rung = role === "player" ? "logged_in" : role === "admin" ? "admin" : "staff";
    sessions.set(role, { rung, headers });
  }
  const linked = await signIn(server, { role: "player" });
  await server.context.models.ShardLink.create({
    account: secret,
    accountKey: secret,
    userId: linked.userId,
    linkedAt: new Date(),
  });
  sessions.set("linked", { rung: "player", headers: linked.headers });
});
afterAll(() => server.stop());

const reads = routes
  .filter((route) => route.path.startsWith("/api/v1/public/shard") && route.method === "get")
  .map((route) => route.path.replace(":system", "CanaryBoard").replace(":serial", "0x00012F3A"))
  .filter((url) => !url.endsWith("/stream"));

async function readAll(headers: Record<string, string>): Promise<string> {
  server.context.keptAnswers.clear();
  const answers = await Promise.all(
    reads.map(async (url) => (await requestUrl(`${server.url}${url}`, { headers })).text),
  );
  return answers.join("\n") + (await replay("/api/v1/public/shard/stream", headers));
}

/** Returns all data that the stream replays to a caller. */
async function replay(url: string, headers: Record<string, string>): Promise<string> {
  const client = await openStream(server.url + url, { headers, lastEventId: 1 });
  const newest = await newestId();
  await client.waitFor(({ id }) => (id ?? 0) >= newest);
  expect(client.blocks.filter(({ event }) => event === "reset")).toEqual([]);
  client.close();
  return JSON.stringify(client.blocks);
}

async function newestId(): Promise<number> {
  return (await server.context.models.ShardEvent.max<number, ShardEvent>("id")) ?? 0;
}

/** Returns the canaries that an access level may see. */
function allowed(visibility: Visibility, rung: Rung): string[] {
  return Object.entries(gatedCanaries)
    .filter(([key]) => {
      const [feature, field] = key.split(".") as [keyof typeof features, string];
      const { enabled, audience, fieldRules } = visibility[feature];
      const rule = fieldRules[field];
      return (
        enabled && isInAudience(rung, audience) && rule !== undefined && isInAudience(rung, rule)
      );
    })
    .map(([, canary]) => canary);
}

/**
 * Returns overrides that open each feature to everybody and the hideable fields to this access
 * level.
 */
const openTo = (rung: Rung): VisibilityOverrides =>
  Object.fromEntries(
    featureNames.map((name) => {
      const rules = Object.keys(features[name].fieldRules).map((field) => [field, rung]);
      const fieldRules = Object.fromEntries(rules) as Record<string, Rung>;
      return [name, { enabled: true, audience: "anonymous", fieldRules }];
    }),
  );
const allOpen = openTo("anonymous");

async function changeVisibility(overrides: VisibilityOverrides): Promise<void> {
  const { context } = server;
  await inTransaction(context.sequelize, (transaction) =>
    writeVisibilityOverrides(context.models, overrides, transaction),
  );
  await context.visibility.reload();
}

/** Records which field rules are read, until `stop` is called. */
function noteAskedRules(): { readonly asked: Set<string>; readonly stop: () => void } {
  const { visibility } = server.context;
  const asked = new Set<string>();
  const current = mergeVisibility(allOpen);
  const noting = Object.fromEntries(
    featureNames.map((feature) => {
      const note = (field: string | symbol) => void asked.add(`${feature}.${String(field)}`);
      const fieldRules = new Proxy(current[feature].fieldRules, {
        get: (rules, field) => (note(field), Reflect.get(rules, field) as unknown),
      });
      return [feature, { ...current[feature], fieldRules }];
    }),
  );
  Object.defineProperty(visibility, "current", { configurable: true, value: noting });
  return { asked, stop: () => void Reflect.deleteProperty(visibility, "current") };
}

it("the event fields that visibility rules can hide are exactly the fields of the frozen list", () => {
  const places = kindNames.flatMap((kind) => {
    const { view, feature } = findShardKind(kind) ?? {};
    return view ? gatedPlaces(view, `${kind} ${feature}`) : [];
  });
  expect(places.toSorted()).toEqual(frozenPlaces.toSorted());
});

describe("the test values of fields that visibility rules can hide", () => {
  it.each(gatedKinds)(
    "are present in the test event of the kind $kind",
    ({ kind, view, feature, gates }) => {
      const planted = [...markedEvents, ...gatedEvents].filter((event) => event.kind === kind);
      const shown = JSON.stringify(
        planted.map(({ payload }) => pickAllVisibleFields(view, payload)),
      );
      const canaries = gates.map((gate) => gatedCanaries[`${feature}.${gate}`] ?? "");
      expect(canaries.filter((canary) => !shown.includes(canary))).toEqual([]);
    },
  );

  it("are visible to a caller who may see everything, in every answer and on the stream", async () => {
    await changeVisibility(allOpen);
    const { asked, stop } = noteAskedRules();
    const unmet: unknown[] = [];
    const met = new Set<string>();
    for (const url of reads) {
      asked.clear();
      server.context.keptAnswers.clear();
      const { text } = await requestUrl(`${server.url}${url}`, {});
      for (const [rule, canary] of Object.entries(gatedCanaries)) {
        if (text.includes(canary)) met.add(rule);
        else if (asked.has(rule)) unmet.push([url, rule]);
      }
    }
    const streamed = await replay("/api/v1/public/shard/stream", {});
    stop();
    expect(unmet).toEqual([]);
    for (const { feature, gates } of gatedKinds) {
      for (const gate of gates) {
        const rule = `${feature}.${gate}`;
        met.add(rule);
        expect([rule, streamed.includes(gatedCanaries[rule] ?? "")]).toEqual([rule, true]);
      }
    }
    expect([...met].toSorted()).toEqual(Object.keys(gatedCanaries).toSorted());
  });
});

describe("data that only admins may see", () => {
  it("is shown to no other caller, even in features that are open to everybody", async () => {
    await changeVisibility(openTo("admin"));
    for (const { rung, headers } of sessions.values()) {
      const text = await readAll(headers);
      const met = Object.entries(gatedCanaries).filter(([, canary]) => text.includes(canary));
      expect([rung, met.length > 0 && rung !== "admin" ? met : []]).toEqual([rung, []]);
    }
  });

  it("is shown by no public route and on no public stream, whatever the visibility rules are", async () => {
    await fc.assert(
      fc.asyncProperty(anyOverrides, async (overrides) => {
        await changeVisibility(overrides);
        const visibility = mergeVisibility(overrides);
        for (const { rung, headers } of sessions.values()) {
          const text = await readAll(headers);
          expect([secret, "77123"].filter((canary) => text.includes(canary))).toEqual([]);
          const met = Object.values(gatedCanaries).filter((canary) => text.includes(canary));
          const may = allowed(visibility, rung);
          expect(met.filter((canary) => !may.includes(canary))).toEqual([]);
        }
      }),
      { numRuns: propertyRunsOf(15) },
    );
  });

  it("is sent on the admin stream, which only admins can open", async () => {
    const admin = sessions.get("admin")?.headers ?? {};
    expect(await replay("/api/v1/admin/shardlink/stream", admin)).toContain(secret);
    for (const who of ["anonymous", "player", "linked", "moderator", "editor"]) {
      const headers = sessions.get(who)?.headers ?? {};
      const response = await fetch(`${server.url}/api/v1/admin/shardlink/stream`, { headers });
      expect(response.status).toBe(who === "anonymous" ? 401 : 403);
      await response.body?.cancel();
    }
  });

  it("is tested for every field that a rule can hide", () => {
    const gateable = featureNames.flatMap((feature) =>
      Object.keys(features[feature].fieldRules).map((field) => `${feature}.${field}`),
    );
    // `market.ownerSerial` has no canary, because in both market views it is a number. The owner's name has a
    // canary instead.
    const known = [...Object.keys(gatedCanaries), "market.ownerSerial"];
    expect(gateable.toSorted()).toEqual(known.toSorted());
    expect(Object.keys(kinds).length).toBe(kindNames.length);
  });
});
