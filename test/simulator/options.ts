import { randomUUID } from "node:crypto";

import { checkScript } from "./faults/faults.ts";
import type { ScriptedFault } from "./faults/faults.ts";
import type { Mix } from "./happenings/catalogue.ts";
import { fullWorld, smallWorld } from "./world/sizes.ts";
import type { WorldSizes } from "./world/sizes.ts";
import { signupModes } from "./world/world.ts";
import type { SignupMode } from "./world/world.ts";

export interface SimulatorOptions {
  /** The same seed and clock make the same world and the same happenings in it. Default 1. */
  readonly seed?: number | string | undefined;
  /** Default 0: any that is free. */
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly token?: string | undefined;
  /** 8 by default, or 7. */
  readonly protocol?: number | undefined;
  /** Events a second that happen by themselves. Default 0: only what is asked for. */
  readonly rate?: number | undefined;
  /** `full` by default, `small` for tests, or single sizes over the full ones. */
  readonly world?: "full" | "small" | Partial<WorldSizes> | undefined;
  /** How many times as often as usual the things of a domain happen. */
  readonly mix?: Mix | undefined;
  /** Before `/v1` in every path, such as `/bridge`. */
  readonly prefix?: string | undefined;
  /** Where the buffer and what was answered survive the process. Default: they do not. */
  readonly bufferFile?: string | undefined;
  /** Ids of epochs and boots are made from it; random by default, as a lost buffer is another. */
  readonly incarnation?: string | undefined;
  /** Epoch ms. Default: the machine's. */
  readonly clock?: (() => number) | undefined;
  readonly faults?: readonly ScriptedFault[] | undefined;
  /** Whether the game runs at the start. Default true. */
  readonly boot?: boolean | undefined;
  readonly signupMode?: SignupMode | undefined;
  /** Links there are from the start. */
  readonly links?: readonly { readonly account: string; readonly userId: number }[] | undefined;
  readonly keepRows?: number | undefined;
  readonly keepMs?: number | undefined;
  /** Beyond this the buffer drops what nobody acknowledged. */
  readonly maxRows?: number | undefined;
  /** A client from which nothing came for so long is cut off. */
  readonly clientTimeoutMs?: number | undefined;
  /** Between two frames of a snapshot, so that other events come between them. Default 0. */
  readonly snapshotPauseMs?: number | undefined;
}

export type Settings = Readonly<{
  [K in Exclude<keyof SimulatorOptions, "bufferFile" | "world" | "seed">]-?: NonNullable<
    SimulatorOptions[K]
  >;
}> & {
  readonly seed: string;
  readonly world: WorldSizes;
  readonly bufferFile: string | undefined;
};

const dayMs = 86_400_000;

const byDefault = {
  port: 0,
  host: "127.0.0.1",
  token: "simulator-token",
  protocol: 8,
  rate: 0,
  mix: {},
  prefix: "",
  clock: Date.now,
  faults: [],
  boot: true,
  signupMode: "hybrid",
  links: [],
  keepRows: 200_000,
  keepMs: 7 * dayMs,
  maxRows: 1_000_000,
  clientTimeoutMs: 45_000,
  snapshotPauseMs: 0,
} as const;

/** Every option settled; throws for one that the simulator could not keep. */
export function settleOptions(options: SimulatorOptions): Settings {
  const given = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Partial<Settings>;
  const settings: Settings = {
    ...byDefault,
    incarnation: randomUUID(),
    ...given,
    seed: String(options.seed ?? 1),
    world: sizesOf(options.world ?? "full"),
    bufferFile: options.bufferFile,
  };
  check(settings);
  return settings;
}

function sizesOf(world: NonNullable<SimulatorOptions["world"]>): WorldSizes {
  if (world === "full") return fullWorld;
  if (world === "small") return smallWorld;
  if (typeof world === "string") throw new Error("world must be full, small or sizes");
  return { ...fullWorld, ...world };
}

function check({ protocol, rate, prefix, signupMode, faults }: Settings): void {
  if (protocol !== 7 && protocol !== 8) throw new Error("protocol must be 7 or 8");
  if (!(rate >= 0)) throw new Error("rate must not be negative");
  if (prefix !== "" && !/^(\/[\w.-]+)+$/.test(prefix)) {
    throw new Error("prefix must be a path such as /bridge");
  }
  if (!signupModes.includes(signupMode)) {
    throw new Error(`signupMode must be one of ${signupModes.join(", ")}`);
  }
  checkScript(faults);
}
