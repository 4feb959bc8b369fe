import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

import type { Random } from "../simulator/random.ts";
import { frameForms, strayFrames } from "../simulator/stream/forms.ts";
import type { OwnProcess } from "../support/own-process.ts";
import { until } from "../support/wait.ts";
import type { Read } from "./check-states.ts";
import type { Follower } from "./follower.ts";
import type { History } from "./history.ts";
import type { Service } from "./service.ts";
import type { Shard } from "./shard.ts";

export interface Scene {
  readonly service: Service;
  readonly shard: Shard;
  readonly followers: readonly Follower[];
  readonly read: Read;
  readonly random: Random;
  readonly history: History;
}

/** One thing done to the service; resolves when what was ended runs again. */
type Strike = (scene: Scene) => Promise<void>;

/** A standby must own the source within this, whatever became of the owner. */
const takeoverMs = 10_000;
/** Longer than an owner may be silent, so that it finds itself replaced when it wakes. */
const pauseMs = 12_000;

/** CATALOGUE of what befalls processes and the database; every run meets each in an order of its own. */
const strikes = {
  "api killed": ({ service, random }) => restart(random.pick(service.apis).process, "kill", random),
  "api stopped": ({ service, random }) =>
    restart(random.pick(service.apis).process, "stop", random),
  "ingest owner killed": (scene) => endOwner("kill", scene),
  "ingest owner stopped": (scene) => endOwner("stop", scene),
  "ingest killed, both": async ({ service, random }) => {
    await Promise.all(service.ingests.map((ingest) => ingest.kill()));
    await sleep(random.int(0, 1_000));
    await Promise.all(service.ingests.map((ingest) => ingest.start()));
  },
  "simulator killed": ({ service, random }) => restart(service.simulator, "kill", random),
  "worker killed": ({ service, random }) => restart(service.worker, "kill", random),
  "listeners cut": (scene) => cut("application_name = 'guildhall listen'", scene),
  "ingest cut": (scene) => cut("application_name like 'guildhall ingest%'", scene),
  "database cut": (scene) => cut("pid <> pg_backend_pid()", scene),
  "network of browsers cut": async ({ followers, random }) => {
    for (const follower of followers) if (random.chance(0.5)) follower.cut();
  },
} as const satisfies Readonly<Record<string, Strike>>;

/** CATALOGUE of what takes longer than a short run has. */
const slowStrikes = {
  "ingest owner paused": (scene) => pauseOwner(scene),
  "database restarted": ({ service }) => service.ground.restart(),
} as const satisfies Readonly<Record<string, Strike>>;

/** Strikes each once, in the order the seed gives, and then again for as many rounds. */
export async function strikeProcesses(
  scene: Scene,
  options: { readonly rounds: number; readonly withSlow: boolean },
): Promise<void> {
  const { random, history } = scene;
  const all = Object.entries({ ...strikes, ...(options.withSlow && slowStrikes) });
  for (let round = 0; round < options.rounds; round++) {
    for (const [name, strike] of shuffled(all, random)) {
      history.note(name);
      await strike(scene);
      history.note(`${name}, over`);
      await sleep(random.int(100, 1_200));
    }
  }
}

const forms = [...Object.keys(strayFrames), ...frameForms];
const tears = ["noEnd", "missingPage", "wrongPages", "wrongCount", "wrongId"];
const families = ["market", "house", "guild", "governor", "points", ""];

/** CATALOGUE of what the sidecar and its game do wrong; undefined: not this time. */
const misdeeds: Readonly<Record<string, (random: Random) => object | undefined>> = {
  drop: (random) => ({ terminate: random.chance(0.5) }),
  overlap: (random) => ({ count: random.int(1, 200) }),
  repeat: (random) => ({ count: random.int(1, 60) }),
  disorder: (random) => ({ count: random.int(10, 200) }),
  skew: (random) => ({ ms: random.pick([-3_600_000, 60_000, 0]) }),
  recreate: (random) => (random.chance(0.3) ? { repeat: random.int(0, 60) } : undefined),
  gap: (random) => ({ count: random.int(1, 20) }),
  hole: (random) => ({ count: random.int(1, 5) }),
  frame: (random) => ({ form: random.pick(forms), count: random.int(1, 3) }),
  restart: (random) => ({ downMs: random.int(20, 600), crash: random.chance(0.5) }),
  tear: (random) => ({ form: random.pick(tears), family: random.pick(families), now: true }),
  refuse: (random) => ({ status: 423, times: random.int(1, 2) }),
  silence: (random) => ({ ms: random.int(50, 1_500) }),
  vanish: (random) => ({ ms: random.int(50, 1_500) }),
  status: () => ({ method: "POST", path: "/v1/resync", status: 500 }),
  cut: () => ({ method: "GET", path: "/v1/links" }),
};

/** Has the sidecar go wrong, in one way after another, until the signal. */
export async function strikeSidecar(scene: Scene, signal: AbortSignal): Promise<void> {
  const { shard, random, history } = scene;
  while (!signal.aborted) {
    for (const [fault, draw] of shuffled(Object.entries(misdeeds), random)) {
      if (signal.aborted) return;
      const drawn = draw(random);
      if (!drawn) continue;
      const misdeed = { fault, ...drawn };
      const isHeard = await shard.strike(misdeed).then(
        () => true,
        () => false,
      );
      history.note(isHeard ? `sidecar: ${fault}` : "sidecar: away", misdeed);
      await sleep(random.int(100, 900), undefined, { signal }).catch(() => undefined);
    }
  }
}

async function restart(one: OwnProcess, how: "kill" | "stop", random: Random): Promise<void> {
  await (how === "kill" ? one.kill() : one.stop());
  await sleep(random.int(0, 1_500));
  await one.start();
}

async function endOwner(how: "kill" | "stop", scene: Scene): Promise<void> {
  const { owner, fence } = await findOwner(scene);
  await (how === "kill" ? owner.kill() : owner.stop());
  await untilTakenOver(fence, scene);
  await owner.start();
}

async function pauseOwner(scene: Scene): Promise<void> {
  const { owner, fence } = await findOwner(scene);
  owner.pause();
  const woken = sleep(pauseMs).then(() => owner.resume());
  await untilTakenOver(fence, scene);
  await woken;
}

async function untilTakenOver(fence: number, { read, history }: Scene): Promise<void> {
  const startedAt = performance.now();
  const isTakenOver = async () => (await readOwner(read)).fence > fence;
  try {
    await until("the standby takes over", isTakenOver, takeoverMs);
    history.find("taken over", { ms: Math.round(performance.now() - startedAt) });
  } catch (error) {
    history.violate("a standby takes over within 10 s", { error: String(error) });
  }
}

interface Owner {
  /** Host and process id. */
  readonly owner: string | null;
  readonly fence: number;
}

async function readOwner(read: Read): Promise<Owner> {
  const [row] = await read<Owner & Record<string, unknown>>(
    "select owner, fence from ingest_sources where source = 'shard'",
  );
  if (!row) throw new Error("there is no source");
  return row;
}

/** The ingest process that owns the source; waits while none of the living does. */
async function findOwner({ service, read }: Scene): Promise<{ owner: OwnProcess; fence: number }> {
  for (;;) {
    const { owner, fence } = await readOwner(read);
    const found = service.ingests.find((one) => owner === `${hostname()}:${one.pid}`);
    if (found) return { owner: found, fence };
    await sleep(50);
  }
}

async function cut(which: string, { read }: Scene): Promise<void> {
  await read(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and ${which}`,
  );
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const drawn = list.map((item) => ({ item, place: random.next() }));
  return drawn.toSorted((one, other) => one.place - other.place).map(({ item }) => item);
}
