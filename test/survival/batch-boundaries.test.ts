import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { EventFrame, StreamFrame } from "../../shared/platform/bridge/frames.ts";
import { acquireSourceOwnership } from "../../shared/platform/ingest/ownership.ts";
import { storeFrames } from "../../shared/platform/ingest/store-batch.ts";
import { createSurvivalSource } from "../../shared/survival/ingest/survival-source.ts";
import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const one = fc.constantFrom;
const january = Date.UTC(2026, 0, 1, 19);
const save = one(january, Date.UTC(2026, 1, 5, 19));
const anna = { steamId: "76561198000000001" };
const bert = { steamId: "76561198000000002" };
const player = fc.record({ who: one(anna, bert), name: one("A", "B") });
const session = fc
  .record({ player, connectedAt: save })
  .map(({ player: { who, name }, connectedAt }) => ({ ...who, name, connectedAt }));

interface Happening {
  readonly kind: string;
  readonly payload: object;
}

const event = (kind: string, payload: fc.Arbitrary<object>): fc.Arbitrary<Happening> =>
  payload.map((given) => ({ kind, payload: given }));

const world = { level: "Procedural Map", seed: 77, size: 4250 };

/** Events of a survival server with few objects, so that many events concern the same object. */
const live: readonly fc.Arbitrary<Happening>[] = [
  event(
    "server.hello",
    save.map((saveCreatedAt) => ({
      serverName: "Oak",
      worldReady: true,
      world: { ...world, saveCreatedAt },
      helpers: [],
      capabilities: ["map"],
    })),
  ),
  event(
    "world.wiped",
    save.map((saveId) => ({
      saveId,
      saveProtocol: 240,
      previousProtocol: 239,
      blueprints: "kept",
      seed: 77,
      size: 4250,
    })),
  ),
  event(
    "player.online",
    fc.array(session, { maxLength: 2 }).map((players) => ({ players })),
  ),
  event("player.joined", session),
  event("player.left", session),
  event(
    "player.tally",
    fc
      .record({ saveId: save, session, kills: one(0, 3, 5), playtimeSec: one(0, 60) })
      .map(({ saveId, session: { steamId, name }, kills, playtimeSec }) => ({
        saveId,
        tallies: [{ steamId, name, stats: { playersKilled: kills }, playtimeSec }],
      })),
  ),
  event(
    "player.died",
    session.map(({ steamId, name }) => ({
      victim: { steamId, name },
      killer: { kind: "environment" },
      x: 1,
      y: 2,
      z: 3,
    })),
  ),
  event("nobody.knows", fc.record({ figure: one(1, 2) })),
  // A payload of the wrong type, which the service refuses.
  event("player.joined", fc.record({ name: one("A") })),
];

type LinkChange = "away" | "back" | "another" | "gap";

const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ happening: fc.oneof(...live), key: one(null, null, null, "a") }),
  },
  { weight: 1, arbitrary: fc.record({ news: one<LinkChange>("away", "back", "another", "gap") }) },
);

const epoch = "6f1c3c5e-0000-4000-8000-0000000000dd";

/** Generates the frames of a stream, in any order. */
const anyFrames = fc.array(step, { minLength: 1, maxLength: 20, size: "max" }).map((steps) => {
  let seq = 0;
  return steps.map((each, at): StreamFrame => {
    if ("news" in each) return newsFrame(each.news, seq);
    seq += 1;
    const { happening, key: eventKey } = each;
    return { ...place(seq), ...happening, eventKey, t: january + at } as EventFrame;
  });
});

const place = (seq: number) =>
  ({ type: "event", epoch, seq, bootId: "boot", replay: false }) as const;

function newsFrame(news: LinkChange, seq: number): StreamFrame {
  if (news === "gap") return { type: "gap", epoch, from: seq, to: seq, reason: "pruned" };
  if (news === "away") return { type: "plugin", connected: false, bootId: null };
  return { type: "plugin", connected: true, bootId: news === "back" ? "boot" : "another" };
}

const dayMs = 86_400_000;
const eventColumns = ["epoch", "seq", "eventKey", "bootId", "saveId", "kind", "t"] as const;
const sourceColumns = ["epoch", "seq", "bootId", "stale", "received", "duplicates"] as const;
const wipeColumns = ["saveId", "kind", "forced", "level", "seed", "worldSize", "peak"] as const;

/** Returns the save ids of a server's worlds, by the generated id of the world. */
async function savesOf(serverId: number): Promise<Map<number, number>> {
  const wipes = await storedRows(models().SurvivalWipe, ["id", "saveId"], { serverId });
  return new Map(wipes.map(({ id, saveId }) => [id, saveId]));
}

const models = () => server.context.models;

/** Replaces the generated id of the world by the save id and sorts the rows by their text. */
const bySave = (rows: readonly { readonly wipeId: number }[], saves: Map<number, number>) =>
  rows
    .map(({ wipeId, ...row }) => ({ saveId: saves.get(wipeId), ...row }))
    .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

/**
 * CATALOGUE of functions that read all stored data of a server. Times of the service and generated
 * ids are left out.
 */
const everything: Readonly<Record<string, (serverId: number) => Promise<object[]>>> = {
  events: (serverId) =>
    storedRows(models().SurvivalEvent, [...eventColumns, "payload"], { serverId }),
  rejected: (serverId) => {
    const where = { source: sourceNameOf(serverId) };
    return storedRows(models().RejectedFrame, ["reason", "kind", "excerpt", "detail"], where);
  },
  source: (serverId) => {
    const where = { source: sourceNameOf(serverId) };
    return storedRows(models().IngestSource, [...sourceColumns, "rejected", "gaps"], where);
  },
  state: (serverId) => {
    const columns = ["hello", "status", "map", "saveId"] as const;
    return storedRows(models().SurvivalServerState, columns, { serverId });
  },
  presence: (serverId) =>
    storedRows(models().SurvivalPresence, ["steamId", "name", "connectedAt"], { serverId }),
  sightings: (serverId) => storedRows(models().SurvivalSighting, ["steamId", "name"], { serverId }),
  worlds: async (serverId) => {
    const wipes = await storedRows(models().SurvivalWipe, [...wipeColumns, "endedAt"], {
      serverId,
    });
    const isOurClock = (endedAt: Date) => Date.now() - endedAt.getTime() < dayMs;
    return wipes
      .map(({ endedAt, ...wipe }) => {
        const ended = endedAt && !isOurClock(endedAt) ? endedAt : null;
        return { ...wipe, stands: endedAt === null, ended };
      })
      .toSorted((a, b) => a.saveId - b.saveId);
  },
  scores: async (serverId) => {
    const saves = await savesOf(serverId);
    const where = { wipeId: [...saves.keys()] };
    const columns = ["wipeId", "stat", "steamId", "value"] as const;
    return bySave(await storedRows(models().SurvivalScore, columns, where), saves);
  },
  tallies: async (serverId) => {
    const saves = await savesOf(serverId);
    const where = { wipeId: [...saves.keys()] };
    const columns = ["wipeId", "steamId", "name", "isStaff"] as const;
    return bySave(await storedRows(models().SurvivalTally, columns, where), saves);
  },
};

/** Stores frames for a new server, in batches of these sizes. @returns all stored data */
async function stored(
  frames: readonly StreamFrame[],
  sizes: readonly number[],
): Promise<Record<string, unknown[]>> {
  const { context } = server;
  const { id } = await buildSurvivalServer(server);
  const [{ DATABASE_URL: url }, log] = [context.config, context.log];
  const { signal } = new AbortController();
  const owner = await acquireSourceOwnership({ url, source: sourceNameOf(id), log, signal });
  try {
    for (let from = 0, at = 0; from < frames.length; at++) {
      const size = sizes[at % sizes.length] ?? 1;
      await storeFrames(
        frames.slice(from, from + size),
        owner,
        createSurvivalSource(id, context),
        log,
      );
      from += size;
    }
  } finally {
    await owner.release();
  }
  const found: Record<string, unknown[]> = {};
  for (const [what, read] of Object.entries(everything)) found[what] = await read(id);
  return found;
}

describe("frames of a survival server", () => {
  it("are stored with the same result in batches of any size and one at a time", async () => {
    const anySizes = fc.oneof(
      fc.constant([1_000]),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
    );
    const held = new Set<string>();
    const same = fc.asyncProperty(anyFrames, anySizes, async (frames, sizes) => {
      const inBatches = await stored(frames, sizes);
      expect(inBatches).toEqual(await stored(frames, [1]));
      const filled = Object.entries(inBatches).filter(([, found]) => found.length > 0);
      for (const [what] of filled) held.add(what);
    });
    await expect(fc.assert(same, { numRuns: 40 })).resolves.toBeUndefined();
    // Each table must have had rows in some comparison.
    expect([...held].toSorted()).toEqual(Object.keys(everything).toSorted());
  });
});
