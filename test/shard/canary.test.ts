import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { routes } from "../../api/routes.ts";
import type { ShardEvent } from "../../models/shard/shard-event.ts";
import type { Rung } from "../../shared/auth/caller/roles.ts";
import { reaches } from "../../shared/auth/caller/roles.ts";
import { inTransaction } from "../../shared/db/transaction.ts";
import { type KindName, kindNames, kinds } from "../../shared/shard/kinds/kinds.ts";
import { features, featureNames } from "../../shared/shard/visibility/features.ts";
import { writeVisibilityOverrides } from "../../shared/shard/visibility/visibility-store.ts";
import { mergeVisibility, type Visibility } from "../../shared/shard/visibility/visibility.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { ask } from "../support/http/call.ts";
import { openStream } from "../support/http/event-stream.ts";
import { runsOf } from "../support/runner/lane.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { plantEvents } from "../support/shard/planted-events.ts";
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

/** What rules may gate, each with a value of its own that shows where it went. */
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

/** Names and numbers: a field more would be an entry more. */
const openMaps = ["byMap", "byRegion", "periods"];

/** Account fields at every level, beside and inside what the kind declares. */
function poison(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(poison);
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.entries(value).map(
    ([key, item]) => [key, openMaps.includes(key) ? item : poison(item)] as const,
  );
  const { accounts } = value as { accounts?: unknown };
  // Of the economy it is their number, which is nobody's name.
  const count = typeof accounts === "number" && { accounts };
  return { ...Object.fromEntries(inner), ...accountFields, canaryExtra: secret, ...count };
}

const poisoned = (kind: KindName) => ({ kind, payload: poison(samples[kind]) as object });

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

let server: TestServer;
const sessions = new Map<string, { rung: Rung; headers: Record<string, string> }>();

beforeAll(async () => {
  server = await startTestServer({
    environment: { SSE_MAX_PER_IP: "1000" },
    // The heartbeat moves a client along that may not see the newest event.
    streams: { heartbeatMs: 20 },
  });
  await plantEvents(server.context, [...kindNames.map(poisoned), ...gatedEvents]);
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
  .filter(({ path, method }) => path.startsWith("/api/v1/public/shard") && method === "get")
  .map(({ path }) => path.replace(":system", "CanaryBoard").replace(":serial", "0x00012F3A"))
  .filter((path) => !path.endsWith("/stream"));

async function readAll(headers: Record<string, string>): Promise<string> {
  server.context.keptAnswers.clear();
  const answers = await Promise.all(
    reads.map(async (path) => (await ask(`${server.url}${path}`, { headers })).text),
  );
  return answers.join("\n") + (await replay("/api/v1/public/shard/stream", headers));
}

/** Everything the stream would replay to the caller. */
async function replay(path: string, headers: Record<string, string>): Promise<string> {
  const client = await openStream(server.url + path, { headers, lastEventId: 1 });
  const newest = await newestId();
  await client.waitFor(({ id }) => (id ?? 0) >= newest);
  expect(client.blocks.filter(({ event }) => event === "reset")).toEqual([]);
  client.close();
  return JSON.stringify(client.blocks);
}

async function newestId(): Promise<number> {
  return (await server.context.models.ShardEvent.max<number, ShardEvent>("id")) ?? 0;
}

/** The canaries of gated fields that a rung may meet somewhere. */
function allowed(visibility: Visibility, rung: Rung): string[] {
  return Object.entries(gatedCanaries)
    .filter(([key]) => {
      const [feature, field] = key.split(".") as [keyof typeof features, string];
      const { enabled, audience, fieldRules } = visibility[feature];
      const rule = fieldRules[field];
      return enabled && reaches(rung, audience) && rule !== undefined && reaches(rung, rule);
    })
    .map(([, canary]) => canary);
}

describe("what is for admins alone", () => {
  it("never leaves by a public route or the public stream, whatever the rules say", async () => {
    await fc.assert(
      fc.asyncProperty(anyOverrides, async (overrides) => {
        const { context } = server;
        await inTransaction(context.sequelize, (transaction) =>
          writeVisibilityOverrides(context.models, overrides, transaction),
        );
        await context.visibility.reload();
        const visibility = mergeVisibility(overrides);
        for (const { rung, headers } of sessions.values()) {
          const text = await readAll(headers);
          expect([secret, "77123"].filter((canary) => text.includes(canary))).toEqual([]);
          const met = Object.values(gatedCanaries).filter((canary) => text.includes(canary));
          const may = allowed(visibility, rung);
          expect(met.filter((canary) => !may.includes(canary))).toEqual([]);
        }
      }),
      { numRuns: runsOf(15) },
    );
  });

  it("is all on the admin stream, and there for admins alone", async () => {
    const admin = sessions.get("admin")?.headers ?? {};
    expect(await replay("/api/v1/admin/shardlink/stream", admin)).toContain(secret);
    for (const who of ["anonymous", "player", "linked", "moderator", "editor"]) {
      const headers = sessions.get(who)?.headers ?? {};
      const response = await fetch(`${server.url}/api/v1/admin/shardlink/stream`, { headers });
      expect(response.status).toBe(who === "anonymous" ? 401 : 403);
      await response.body?.cancel();
    }
  });

  it("covers every feature that has gateable fields", () => {
    const gateable = featureNames.flatMap((feature) =>
      Object.keys(features[feature].fieldRules).map((field) => `${feature}.${field}`),
    );
    // The owner's serial is a plain number in both views; its name stands for it here.
    const known = [...Object.keys(gatedCanaries), "market.ownerSerial"];
    expect(gateable.toSorted()).toEqual(known.toSorted());
    expect(Object.keys(kinds).length).toBe(kindNames.length);
  });
});
