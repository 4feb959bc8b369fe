import { resolveCommonOptions, withDefaults } from "./common-options.ts";
import type { CommonOptions, CommonSettings } from "./common-options.ts";
import { checkScript } from "./faults/faults.ts";
import { shardFaults } from "./faults/shard-faults.ts";
import type { Mix } from "./happenings/catalogue.ts";
import { fullWorld, smallWorld } from "./world/sizes.ts";
import type { WorldSizes } from "./world/sizes.ts";
import { signupModes } from "./world/world.ts";
import type { SignupMode } from "./world/world.ts";

/** The options of a simulated shard. The protocol version is 8 by default; 7 is possible. */
export interface SimulatorOptions extends CommonOptions {
  /**
   * The size of the world: `full` by default, `small` for tests, or single sizes that replace those
   * of `full`.
   */
  readonly world?: "full" | "small" | Partial<WorldSizes> | undefined;
  /** Factors of the frequency of each domain's events. */
  readonly mix?: Mix | undefined;
  readonly signupMode?: SignupMode | undefined;
  /** The links of accounts at the start. */
  readonly links?: readonly { readonly account: string; readonly userId: number }[] | undefined;
  /**
   * The milliseconds between two frames of a snapshot, so that other events come between them. The
   * default is 0.
   */
  readonly snapshotPauseMs?: number | undefined;
}

export interface Settings extends CommonSettings {
  readonly world: WorldSizes;
  readonly mix: Mix;
  readonly signupMode: SignupMode;
  readonly links: readonly { readonly account: string; readonly userId: number }[];
  readonly snapshotPauseMs: number;
}

const byDefault = { mix: {}, signupMode: "hybrid", links: [], snapshotPauseMs: 0 } as const;

/** Adds the defaults to the options. @throws if a combination of options is not supported */
export function resolveOptions(options: SimulatorOptions): Settings {
  const settings: Settings = {
    ...(withDefaults(byDefault, options) as Settings),
    ...resolveCommonOptions(options, 8),
    world: sizesOf(options.world ?? "full"),
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

function check({ protocol, signupMode, faults }: Settings): void {
  if (protocol !== 7 && protocol !== 8) throw new Error("protocol must be 7 or 8");
  if (!signupModes.includes(signupMode)) {
    throw new Error(`signupMode must be one of ${signupModes.join(", ")}`);
  }
  checkScript(shardFaults, faults);
}
