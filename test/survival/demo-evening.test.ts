import { readFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";

import { startSurvivalSimulator, type SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { call } from "../support/call.ts";
import type { OwnProcess } from "../support/own-process.ts";
import { startProgram } from "../support/processes.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { type SignedIn, signIn } from "../support/sign-in.ts";
import { linkSurvivalServer, startSurvivalIngest } from "../support/survival-link.ts";
import { until } from "../support/wait.ts";

let server: TestServer;
let admin: SignedIn;
let simulator: SurvivalSimulator;
let ingest: Awaited<ReturnType<typeof startSurvivalIngest>>;
let worker: OwnProcess;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  simulator = await startSurvivalSimulator({ world: "small" });
  await linkSurvivalServer(server.context, simulator, { slug: "emberfall" });
  ingest = await startSurvivalIngest(server.context);
  worker = await startProgram("worker", { database: server.database, arguments: ["events"] });
});
afterAll(async () => {
  await worker?.kill();
  await ingest.stop();
  await server.stop();
  await simulator.stop();
});

const file = path.join(import.meta.dirname, "../demo/survival-evening.json");
const evening = JSON.parse(readFileSync(file, "utf8")) as object;

async function as<Body>(route: string, body?: object): Promise<Body> {
  const answered = await call(server, route, { headers: admin.headers, ...(body && { body }) });
  if (answered.status >= 300) throw new Error(`${route}: ${answered.text}`);
  return answered.body as Body;
}

interface Seen {
  readonly run: { readonly status: string };
  readonly steps: readonly { readonly actionId: string; readonly status: string }[];
}

const states = ({ steps }: Seen): string[] =>
  steps.map(({ actionId, status }) => `${actionId} ${status}`);

const done = (...actions: string[]): string[] =>
  actions.map((action) => `survival.${action} succeeded`);

describe("the evening on the demo's survival server", () => {
  it("takes place as the README says, and does each thing once in the game", async () => {
    const survival = "/admin/survival";
    const arena = { key: "arena", name: "Arena", shape: { kind: "sphere", radius: 75 } };
    await as(`POST ${survival}/zones/presets`, arena);
    await as(`POST ${survival}/npcs`, { key: "warlord", displayName: "The Warlord", boss: true });
    const throne = { name: "throne", profileKey: "warlord", x: 10, y: 0, z: -20 };
    await as(`POST ${survival}/npcs/servers/1/placements`, throne);
    const pushed = await as<{ results: { state: string }[] }>(`POST ${survival}/npcs/push`, {
      serverIds: [1],
    });
    expect(pushed.results).toMatchObject([{ serverId: 1, state: "pushed" }]);
    for (const action of ["zone.open", "zone.close", "npc.spawn", "kit.entitle"]) {
      await as("PUT /admin/events/actions", { actionId: `survival.${action}`, enabled: true });
    }
    const { event } = await as<{ event: { id: number } }>("POST /admin/events", evening);
    await as(`POST /admin/events/${event.id}/publish`);
    await as(`POST /admin/events/${event.id}/verify`);
    const { run } = await as<{ run: { id: number } }>(`POST /admin/events/${event.id}/runs`);
    const seen = () => as<Seen>(`GET /admin/events/runs/${run.id}`);
    const fight = done("announce", "zone.open", "participation.open", "npc.spawn");
    let shown: string[] = [];
    await until(
      () => `the boss is there: ${shown.join(", ")}`,
      async () => {
        shown = states(await seen());
        return fight.every((one) => shown.includes(one));
      },
    );
    const types = await typesOnMap();
    expect(types).toEqual(expect.arrayContaining(["boss", "zone"]));

    const world = await game<{ online: string[] }>("/sim/world");
    const killer = world.online[0];
    await game("/sim/turns", { turn: "killNpc", by: killer, placement: "throne" });
    await until("the run completes", async () => (await seen()).run.status === "completed");
    expect(states(await seen())).toEqual([
      ...fight,
      ...done("participation.collect", "kit.entitle", "zone.close"),
    ]);
    const given = [...simulator.world.entitlements.values()].map(({ steamId, kit }) => [
      steamId,
      kit,
    ]);
    expect(given).toContainEqual([killer, "event"]);
    expect(simulator.world.leases.size).toBe(0);
    const { ledger } = await as<{
      ledger: { what: string; state: string; runId: number | null }[];
    }>(`GET ${survival}/ledger?server=1`);
    const ofRun = ledger.filter(({ runId }) => runId === run.id);
    expect(ofRun.map(({ what, state }) => `${what} ${state}`).toSorted()).toEqual([
      "announce confirmed",
      ...given.map(() => "kit confirmed"),
      "npc confirmed",
      "participation withdrawn",
      "zone withdrawn",
    ]);
  });
});

/** What moves on the map as everybody sees it. */
async function typesOnMap(): Promise<string[]> {
  let types: string[] = [];
  await until(
    () => `the map shows the fight: ${types.join(", ")}`,
    async () => {
      const live = await as<{ layers: { events?: { type: string }[] } }>(
        "GET /public/survival/servers/1/map/live",
      );
      types = (live.layers.events ?? []).map(({ type }) => type);
      return types.includes("boss") && types.includes("zone");
    },
  );
  return types;
}

/** A route of the game's own, as the README asks it. */
async function game<Answer>(route: string, body?: object): Promise<Answer> {
  const init = body && { method: "POST", body: JSON.stringify(body) };
  const answered = await fetch(`${simulator.baseUrl}${route}`, init);
  if (!answered.ok) throw new Error(`${route}: ${await answered.text()}`);
  return (await answered.json()) as Answer;
}
