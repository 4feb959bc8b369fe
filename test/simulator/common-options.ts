import { randomUUID } from "node:crypto";

import type { ScriptedFault } from "./faults/faults.ts";

/** The options of every sidecar. */
export interface CommonOptions {
  /** The same seed and clock give the same world and the same events. Default 1. */
  readonly seed?: number | string | undefined;
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly token?: string | undefined;
  readonly protocol?: number | undefined;
  /** Spontaneous events per second. Default 0. */
  readonly rate?: number | undefined;
  /** Precedes `/v1` in every path, for example `/bridge`. */
  readonly prefix?: string | undefined;
  /** A file that keeps the buffer and the answers across processes. By default they are lost. */
  readonly bufferFile?: string | undefined;
  /** The seed of epoch and boot ids; random by default, because a lost buffer needs a new epoch. */
  readonly incarnation?: string | undefined;
  /** Epoch ms. Default: the machine's clock. */
  readonly clock?: (() => number) | undefined;
  readonly faults?: readonly ScriptedFault[] | undefined;
  /** True if the game runs at the start. Default true. */
  readonly boot?: boolean | undefined;
  readonly keepRows?: number | undefined;
  readonly keepMs?: number | undefined;
  /** Beyond this number the buffer drops unacknowledged events. */
  readonly maxRows?: number | undefined;
  /** Disconnects a client that is silent this long. */
  readonly clientTimeoutMs?: number | undefined;
}

export type CommonSettings = Readonly<{
  [K in Exclude<keyof CommonOptions, "bufferFile" | "seed">]-?: NonNullable<CommonOptions[K]>;
}> & {
  readonly seed: string;
  readonly bufferFile: string | undefined;
};

const dayMs = 86_400_000;

const byDefault = {
  port: 0,
  host: "127.0.0.1",
  token: "simulator-token",
  rate: 0,
  prefix: "",
  clock: Date.now,
  faults: [],
  boot: true,
  keepRows: 200_000,
  keepMs: 7 * dayMs,
  maxRows: 1_000_000,
  clientTimeoutMs: 45_000,
} as const;

export const withDefaults = <D extends object, O extends object>(defaults: D, options: O): D & O =>
  ({
    ...defaults,
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  }) as D & O;

/** Returns the common options with defaults; throws if one is not supported. */
export function resolveCommonOptions(options: CommonOptions, protocol: number): CommonSettings {
  const settings = {
    ...withDefaults({ ...byDefault, protocol, incarnation: randomUUID() }, options),
    seed: String(options.seed ?? 1),
    bufferFile: options.bufferFile,
  } as CommonSettings;
  if (!(settings.rate >= 0)) throw new Error("rate must not be negative");
  if (settings.prefix !== "" && !/^(\/[\w.-]+)+$/.test(settings.prefix)) {
    throw new Error("prefix must be a path such as /bridge");
  }
  return settings;
}
