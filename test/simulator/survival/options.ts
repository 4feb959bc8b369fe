import { resolveCommonOptions, withDefaults } from "../common-options.ts";
import type { CommonOptions, CommonSettings } from "../common-options.ts";
import { checkScript } from "../faults/faults.ts";
import { survivalFaults } from "./faults/catalogue.ts";
import { frameworks } from "./world/frameworks.ts";
import type { FrameworkName } from "./world/frameworks.ts";
import { fullWorld, smallWorld } from "./world/sizes.ts";
import type { SurvivalSizes } from "./world/sizes.ts";

export const survivalProtocol = 13;

export interface SurvivalOptions extends CommonOptions {
  /**
   * The size of the world: `full` by default, `small` for tests, or single sizes that replace those
   * of `full`.
   */
  readonly world?: "full" | "small" | Partial<SurvivalSizes> | undefined;
  readonly framework?: FrameworkName | undefined;
  readonly serverName?: string | undefined;
  /** The milliseconds from the boot until the world is ready. The default is 0. */
  readonly worldMs?: number | undefined;
  /**
   * The milliseconds that a plugin takes to load after its configuration is written. The default is
   * 0.
   */
  readonly reloadMs?: number | undefined;
  /** True if the plugin does its timed work by itself. This is the default. */
  readonly ticking?: boolean | undefined;
}

export interface SurvivalSettings extends CommonSettings {
  readonly world: SurvivalSizes;
  readonly framework: FrameworkName;
  readonly serverName: string;
  readonly worldMs: number;
  readonly reloadMs: number;
  readonly ticking: boolean;
}

const byDefault = {
  framework: "oxide",
  serverName: "Guildhall <b>Test</b> Island",
  worldMs: 0,
  reloadMs: 0,
  ticking: true,
} as const;

/** Adds the defaults to the options. @throws if a combination of options is not supported */
export function resolveSurvivalOptions(options: SurvivalOptions): SurvivalSettings {
  const settings: SurvivalSettings = {
    ...(withDefaults(byDefault, options) as SurvivalSettings),
    ...resolveCommonOptions(options, survivalProtocol),
    world: sizesOf(options.world ?? "full"),
  };
  if (settings.protocol !== survivalProtocol) throw new Error("protocol must be 13");
  if (!frameworks.includes(settings.framework)) {
    throw new Error(`framework must be one of ${frameworks.join(", ")}`);
  }
  checkScript(survivalFaults, settings.faults);
  return settings;
}

function sizesOf(world: NonNullable<SurvivalOptions["world"]>): SurvivalSizes {
  if (world === "full") return fullWorld;
  if (world === "small") return smallWorld;
  if (typeof world === "string") throw new Error("world must be full, small or sizes");
  return { ...fullWorld, ...world };
}
