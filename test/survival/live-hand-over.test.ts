import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { type LivePayload, joinLiveFrame } from "../../shared/survival/map/live-frame.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let id: number;
/** The game-clock times of the published positions, by the id of the frame. */
const heard = new Map<string, number>();
/** The game-clock times of the published positions, by server. */
const heardOf = new Map<number, Set<number>>();
let markers = 0;

beforeAll(async () => {
  server = await startTestServer({ environment: { SURVIVAL_LIVE_INTERVAL: "1m" } });
  server.context.listener.on("survival_live", ({ serverId, frame, text }) => {
    if (frame === "marker") {
      markers += 1;
      return;
    }
    const { at } = joinLiveFrame([text]);
    heardOf.set(serverId, (heardOf.get(serverId) ?? new Set()).add(at));
    if (serverId === id) heard.set(frame, at);
  });
});
afterAll(() => server.stop());
beforeEach(async () => {
  id = (await buildSurvivalServer(server)).id;
  heard.clear();
});

const live = (at: number): LivePayload => ({
  at,
  gameTime: 12,
  events: [],
  players: [],
  bases: [],
});

/**
 * Publishes a marker and waits for it. All positions that were published before have arrived then.
 */
async function hearMarker(): Promise<void> {
  const due = markers + 1;
  const marker = { serverId: 0, frame: "marker", page: 1, pages: 1, text: "" };
  await query(server, "select pg_notify('survival_live', $1)", JSON.stringify(marker));
  await waitUntil("the marker was heard", () => markers === due);
}

describe("live positions from a game", () => {
  it("are published once in each interval, however many frames contain them", async () => {
    const frames = Array.from({ length: 200 }, (_, at) => survivalFrame("map.live", live(at)));
    await storeSurvivalFrames(server.context, id, frames);
    await waitUntil("one was handed over", () => heard.size > 0);
    await hearMarker();
    expect(heard.size).toBe(1);
  });

  it("are published for each server, even if another server sends positions at the same time", async () => {
    const other = (await buildSurvivalServer(server)).id;
    await storeSurvivalFrames(server.context, other, [survivalFrame("map.live", live(1))]);
    await storeSurvivalFrames(server.context, id, [survivalFrame("map.live", live(2))]);
    await waitUntil("they were handed over", () => heardOf.has(id) && heardOf.has(other));
    await hearMarker();
    expect([heardOf.get(other), heardOf.get(id)]).toEqual([new Set([1]), new Set([2])]);
    expect([...heard.values()]).toEqual([2]);
  });
});
