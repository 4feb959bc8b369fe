import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNow } from "../../models/queries/clock.ts";
import type { SurvivalServer } from "../../models/survival/survival-server.ts";
import type { GameEffectKind } from "../simulator/survival/deeds.ts";
import { startSurvivalSimulator, type SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { expireWorkerHeartbeats } from "../support/database/lost-worker.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { buildSteamLink } from "../support/factories/survival.ts";
import { addReadRevision } from "../support/http/as-read.ts";
import { type ApiAnswer, callRoute } from "../support/http/call.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import { startProgram } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { linkSurvivalServer } from "../support/survival/linked-survival.ts";
import { startSurvivalIngest } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let admin: SignedIn;
let simulator: SurvivalSimulator;
let linked: SurvivalServer;
let ingest: Awaited<ReturnType<typeof startSurvivalIngest>>;
let worker: ChildProgram;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  simulator = await startSurvivalSimulator({ world: "small" });
  linked = await linkSurvivalServer(server, simulator, { slug: "oak" });
  ingest = await startSurvivalIngest(server.context);
  good(await as("POST /admin/survival/zones/presets", arena));
  for (const actionId of ["zone.open", "zone.close", "npc.spawn", "kit.entitle"]) {
    const body = { actionId: `survival.${actionId}`, enabled: true };
    good(await as("PUT /admin/events/actions", body));
  }
});
afterAll(async () => {
  await worker?.kill();
  await ingest.stop();
  await server.stop();
  await simulator.stop();
});

const startWorker = (ttl: string): Promise<ChildProgram> =>
  startProgram("worker", {
    database: server.database,
    arguments: ["events"],
    environment: { SURVIVAL_LEASE_TTL: ttl },
  });

const ask = (route: string, body?: object): Promise<ApiAnswer> =>
  callRoute(server, route, { headers: admin.headers, ...(body && { body }) });
const as = async (route: string, body?: object): Promise<ApiAnswer> =>
  ask(route, await addReadRevision(route, body, ask));

const good = ({ status, body, text }: ApiAnswer): unknown => {
  if (status >= 300) throw new Error(text);
  return body;
};

const arena = { key: "arena", name: "Arena", shape: { kind: "sphere", radius: 75 } };
const step = (key: string, actionId: string, params: object) => ({
  key,
  actionId: `survival.${actionId}`,
  params,
});
const zone = step("zone", "zone.open", {
  server: "oak",
  preset: "arena",
  at: "10 0 -20",
  durationSec: 3_000,
});

const openingPhase = {
  key: "fight",
  title: "The fight",
  steps: [
    step("call", "announce", { server: "all", message: "The warlord wakes" }),
    zone,
    step("count", "participation.open", {
      server: "oak",
      method: "damage",
      profile: "warlord",
      durationSec: 3_000,
    }),
    step("boss", "npc.spawn", { server: "oak", placement: "throne", count: 1 }),
  ],
  advance: {
    kind: "trigger",
    trigger: "survival.npc.died",
    where: [
      { var: "profile", op: "eq", value: "warlord" },
      { var: "boss", op: "eq", value: true },
    ],
  },
};

const rewardPhase = {
  key: "reward",
  title: "The reward",
  steps: [
    step("collect", "participation.collect", { participation: "count" }),
    step("kits", "kit.entitle", { participation: "count", kit: "event", leastShare: 10 }),
    step("close", "zone.close", { lease: "zone" }),
  ],
};

async function startRun(
  title: string,
  phases: readonly object[],
  given: object = {},
): Promise<number> {
  const scope = `survival:${linked.id}`;
  const made = good(await as("POST /admin/events", { title, spec: { scope, phases } }));
  const { event } = made as { event: { id: number } };
  good(await as(`POST /admin/events/${event.id}/publish`));
  const started = good(await as(`POST /admin/events/${event.id}/runs`, given));
  return (started as { run: { id: number } }).run.id;
}

interface Seen {
  readonly run: { readonly status: string; readonly lastError: string | null };
  readonly steps: readonly { readonly status: string; readonly lastError: string | null }[];
}

async function runIs(runId: number, status: string): Promise<void> {
  let seen: Seen | undefined;
  await waitUntil(
    () => `run ${runId} ${status}: ${JSON.stringify(seen)}`,
    async () => {
      seen = (await as(`GET /admin/events/runs/${runId}`)).body as Seen;
      return seen.run.status === status;
    },
  );
}

/** A command that the game executes without answering it. */
interface Strike {
  readonly deed: GameEffectKind;
  readonly method?: string;
  readonly path: string;
}

const deedsOf = (what: GameEffectKind) => simulator.deeds.of(what);

/**
 * Starts a worker and kills it after the game has executed a command and before the game answers.
 */
async function killWithin({ deed, method = "POST", path }: Strike): Promise<void> {
  simulator.faults.trigger("hang", { method, path, carryOut: true });
  worker = await startWorker("600s");
  await waitUntil(`the game did ${deed}`, () => deedsOf(deed).length > 0);
  await worker.kill();
  simulator.faults.clear();
  const where = { status: "running" } as const;
  await server.context.models.EventStep.update({ leaseUntil: clockNow() }, { where });
  await expireWorkerHeartbeats(server);
}

/** The effects that steps have in the game. Synchronizations have effects of other kinds. */
const deedsOfSteps = [
  "announced",
  "zone.opened",
  "zone.closed",
  "participation.opened",
  "participation.collected",
  "npc.spawned",
  "kit.entitled",
] as const satisfies GameEffectKind[];

const deedsSoFar = () => deedsOfSteps.map((kind) => [kind, deedsOf(kind).length]);

const byText = (one: readonly unknown[], other: readonly unknown[]): number =>
  String(one).localeCompare(String(other));

const ledgerOf = (run: number) => {
  const { SurvivalLedgerEntry } = server.context.models;
  return storedRows(SurvivalLedgerEntry, ["what", "state", "reason"], { runId: run });
};

const players = (): string[] =>
  [...simulator.world.players.values()]
    .filter(({ isStaff }) => !isStaff)
    .map(({ steamId }) => steamId)
    .slice(0, 3);

describe("an event run on a survival server", () => {
  it("has each effect once, although its worker is killed in each step and while the run waits", async () => {
    const [killer = "", helper = "", other = ""] = players();
    await buildSteamLink(server, { steamId: helper, userId: admin.userId });
    simulator.world.npcs.placements.set("throne", {
      name: "throne",
      profile: "warlord",
      count: 1,
      respawnSec: null,
      x: 0,
      z: 0,
      problem: null,
      lastSpawnAt: null,
      lastDeathAt: null,
      respawnAt: null,
    });
    const opening: readonly Strike[] = [
      { deed: "announced", path: "/v1/announce" },
      { deed: "zone.opened", path: "/v1/zones" },
      { deed: "participation.opened", path: "/v1/participation/open" },
      { deed: "npc.spawned", path: "/v1/npc/placements" },
    ];
    const runId = await startRun("Warlord", [openingPhase, rewardPhase]);
    for (const strike of opening) await killWithin(strike);
    const rewarding: readonly Strike[] = [
      { deed: "participation.collected", path: "/v1/participation/" },
      { deed: "kit.entitled", path: "/v1/kits/entitle" },
      { deed: "zone.closed", method: "DELETE", path: "/v1/zones/" },
    ];
    worker = await startWorker("600s");
    await waitUntil("the boss is there", () => deedsOf("npc.spawned").length > 0);
    await waitUntil("the run waits", async () => {
      const { steps } = (await as(`GET /admin/events/runs/${runId}`)).body as Seen;
      return steps.slice(0, 4).every(({ status }) => status === "succeeded");
    });
    // Kill the boss, which the run waits for, while no worker runs.
    await worker.kill();
    simulator.turn({ turn: "hurtNpc", by: other, placement: "throne", damage: 20 });
    simulator.turn({ turn: "killNpc", by: killer, placement: "throne", helpers: [helper] });
    for (const strike of rewarding) await killWithin(strike);
    worker = await startWorker("600s");
    await runIs(runId, "completed");

    const kinds = [
      "announced",
      "zone.opened",
      "participation.opened",
      "npc.spawned",
      "participation.collected",
      "zone.closed",
    ] as const;
    for (const kind of kinds) expect(deedsOf(kind)).toMatchObject([{ times: 1 }]);
    await waitUntil("the kits are there", () => deedsOf("kit.entitled").length === 2);
    expect(deedsOf("kit.entitled")).toMatchObject([{ times: 1 }, { times: 1 }]);
    // A player who dealt less than a tenth of the damage gets no reward.
    const given = [...simulator.world.entitlements.values()];
    expect(given.map(({ steamId, kit, uses }) => [steamId, kit, uses]).toSorted(byText)).toEqual(
      [killer, helper].map((steamId) => [steamId, "event", 1]).toSorted(byText),
    );
    expect(simulator.world.leases.size).toBe(0);
    const { EventParticipation } = server.context.models;
    expect(await storedRows(EventParticipation, ["runId", "userId", "rewards"])).toEqual([
      { runId, userId: admin.userId, rewards: [{ kit: "event", count: 1 }] },
    ]);
    await waitUntil("the kits are on record", async () => {
      const { kits } = (await as("GET /player/survival/kits")).body as {
        kits: { steamId: string; state: string; server: string }[];
      };
      return kits.length === 1 && kits[0]?.steamId === helper && kits[0].state === "delivered";
    });
    const entries = (await ledgerOf(runId)).toSorted((one, next) =>
      byText([one.what], [next.what]),
    );
    expect(entries.map(({ what, state }) => `${what} ${state}`)).toEqual([
      "announce confirmed",
      "kit confirmed",
      "kit confirmed",
      "npc confirmed",
      "participation withdrawn",
      "zone withdrawn",
    ]);
    await worker.kill();
  });

  it("leaves no zone open if all processes stop, and the ledger records the end of the zone when ingest restarts", async () => {
    worker = await startWorker("15s");
    const runId = await startRun("Zone alone", [{ key: "one", title: "One", steps: [zone] }]);
    await runIs(runId, "completed");
    expect(simulator.world.leases.size).toBe(1);
    await worker.kill();
    await ingest.stop();
    await waitUntil("the game ends the zone", () => simulator.world.leases.size === 0);
    const entry = async () => (await ledgerOf(runId))[0];
    expect(await entry()).toMatchObject({ state: "confirmed", reason: null });
    ingest = await startSurvivalIngest(server.context);
    await waitUntil("the ledger has it", async () => (await entry())?.state === "expired");
    expect(await entry()).toMatchObject({ state: "expired", reason: "timeout" });
    const { open } = (await as("GET /admin/survival/zones")).body as { open: object[] };
    expect(open).toEqual([]);
    await worker.kill();
  });

  it("has no effect in the game if it is a rehearsal, and completes", async () => {
    worker = await startWorker("600s");
    const before = deedsSoFar();
    const fight = { ...openingPhase, advance: { kind: "steps" } };
    const runId = await startRun("Rehearsed", [fight, rewardPhase], { rehearsal: true });
    await runIs(runId, "completed");
    const { steps } = (await as(`GET /admin/events/runs/${runId}`)).body as Seen;
    expect(steps.map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => "succeeded"));
    expect(deedsSoFar()).toEqual(before);
    expect(simulator.world.leases.size).toBe(0);
    expect(await ledgerOf(runId)).toEqual([]);
    await worker.kill();
  });

  it.each([
    ["zone.open", { zoneSeconds: 2_999 }, zone],
    ["npc.spawn", { npcs: 49 }, step("boss", "npc.spawn", { server: "oak", placement: "throne" })],
    [
      "announce",
      { announcements: 0 },
      step("call", "announce", { server: "all", message: "Hear!" }),
    ],
    [
      "kit.entitle",
      { kits: 3 },
      step("kits", "kit.entitle", {
        server: "oak",
        kit: "event",
        steamIds: "76561198000000001 76561198000000002",
        uses: 2,
      }),
    ],
  ])("spends no more of %s than its budget allows", async (actionId, caps, one) => {
    const spender = { actionId: `survival.${actionId}`, enabled: true };
    good(await as("PUT /admin/events/actions", { ...spender, caps }));
    worker = await startWorker("600s");
    const before = deedsSoFar();
    const phases = [{ key: "one", title: "One", steps: [{ ...one, onFailure: "continue" }] }];
    const runId = await startRun(`Too much of ${actionId}`, phases);
    await runIs(runId, "completed");
    const { steps } = (await as(`GET /admin/events/runs/${runId}`)).body as Seen;
    expect(steps).toMatchObject([
      { status: "failed", lastError: expect.stringContaining("budget") },
    ]);
    expect(deedsSoFar()).toEqual(before);
    await worker.kill();
    good(await as("PUT /admin/events/actions", { ...spender, caps: {} }));
  });

  it("fails a step if its placement spawns more NPCs than the step allows", async () => {
    good(await as("POST /admin/survival/npcs", { key: "guard", displayName: "The guard" }));
    const crowd = { name: "crowd", profileKey: "guard", count: 2, x: 1, y: 2, z: 3 };
    good(await as(`POST /admin/survival/npcs/servers/${linked.id}/placements`, crowd));
    // Synchronize the placement now. A worker would otherwise do so seconds later, and its synchronization would
    // count as another effect.
    good(await as("POST /admin/survival/npcs/push", { serverIds: [linked.id] }));
    await waitUntil("the placement is in the game", () =>
      simulator.world.npcs.placements.has("crowd"),
    );
    worker = await startWorker("600s");
    const before = deedsSoFar();
    const spawn = step("crowd", "npc.spawn", { server: "oak", placement: "crowd", count: 1 });
    const steps = [{ ...spawn, onFailure: "continue" }];
    const runId = await startRun("A crowd", [{ key: "one", title: "One", steps }]);
    await runIs(runId, "completed");
    const seen = (await as(`GET /admin/events/runs/${runId}`)).body as Seen;
    const lastError = "the placement crowd has 2 NPCs, but the step allows at most 1";
    expect(seen.steps).toMatchObject([{ status: "failed", lastError }]);
    expect(deedsSoFar()).toEqual(before);
    await worker.kill();
  });

  it.each([
    [{ preset: "gone" }, "presetKey: there is no such preset"],
    [{ at: "1 2 3", durationSec: 3_601 }, "durationSec: the preset allows at most 3600 seconds"],
  ])("reports why a zone was not opened: %j", async (given, lastError) => {
    worker = await startWorker("600s");
    const params = { ...zone.params, ...given };
    const steps = [{ ...zone, params, onFailure: "continue" }];
    const runId = await startRun("No zone", [{ key: "one", title: "One", steps }]);
    await runIs(runId, "completed");
    const seen = (await as(`GET /admin/events/runs/${runId}`)).body as Seen;
    expect(seen.steps).toMatchObject([{ status: "failed", lastError }]);
    await worker.kill();
  });

  it("gives no kit that has already expired", async () => {
    worker = await startWorker("600s");
    const before = deedsSoFar();
    const params = { server: "oak", kit: "event", steamIds: "76561198000000001" };
    const over = step("kits", "kit.entitle", { ...params, expiresAt: "2020-01-01T00:00Z" });
    const steps = [{ ...over, onFailure: "continue" }];
    const runId = await startRun("Too late", [{ key: "one", title: "One", steps }]);
    await runIs(runId, "completed");
    const seen = (await as(`GET /admin/events/runs/${runId}`)).body as Seen;
    const lastError = "expiresAt is in the past, so that no player could take the kit";
    expect(seen.steps).toMatchObject([{ status: "failed", lastError }]);
    expect(deedsSoFar()).toEqual(before);
    await worker.kill();
  });
});
