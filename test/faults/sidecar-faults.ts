import { setTimeout as sleep } from "node:timers/promises";

import { snapshotFamilies } from "../../shared/shard/kinds/live-states.ts";
import type { RandomSource } from "../simulator/random.ts";
import { frameForms, strayFrames } from "../simulator/stream/forms.ts";
import type { History } from "./history.ts";
import { shuffleList } from "./rounds.ts";
import type { ShardSimulatorClient } from "./shard.ts";

/**
 * Functions that draw the options of a simulator fault, by the fault's name. Undefined leaves the fault out this
 * time.
 */
type SidecarFaults = Readonly<Record<string, (random: RandomSource) => object | undefined>>;

const forms = [...Object.keys(strayFrames), ...frameForms];

/** CATALOGUE of faults that any sidecar and its game may have. */
export const commonMisdeeds: SidecarFaults = {
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
  refuse: (random) => ({ status: 423, times: random.int(1, 2) }),
  silence: (random) => ({ ms: random.int(50, 1_500) }),
  vanish: (random) => ({ ms: random.int(50, 1_500) }),
  status: () => ({ method: "POST", path: "/v1/resync", status: 500 }),
};

const tears = ["noEnd", "missingPage", "wrongPages", "wrongCount", "wrongId"];
const families = [...snapshotFamilies, ""];

/** CATALOGUE of faults of the shard's sidecar. */
export const shardMisdeeds: SidecarFaults = {
  ...commonMisdeeds,
  tear: (random) => ({ form: random.pick(tears), family: random.pick(families), now: true }),
  cut: () => ({ method: "GET", path: "/v1/links" }),
};

interface FaultTarget {
  /** The sidecar's name in the history. */
  readonly name: string;
  readonly shard: ShardSimulatorClient;
  readonly random: RandomSource;
  readonly history: History;
  /** The limits of the pause between two faults, in milliseconds. */
  readonly pause?: { readonly least: number; readonly most: number };
}

const shortPause = { least: 100, most: 900 };

/** Triggers one fault of a sidecar after another until the signal. */
export async function injectSidecarFaults(
  { name, shard, random, history, pause = shortPause }: FaultTarget,
  misdeeds: SidecarFaults,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const [fault, draw] of shuffleList(Object.entries(misdeeds), random)) {
      if (signal.aborted) return;
      const drawn = draw(random);
      if (!drawn) continue;
      const misdeed = { fault, ...drawn };
      const isHeard = await shard.strike(misdeed).then(
        () => true,
        () => false,
      );
      history.note(isHeard ? `${name}: ${fault}` : `${name}: away`, misdeed);
      const ms = random.int(pause.least, pause.most);
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    }
  }
}
