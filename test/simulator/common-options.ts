import { randomUUID } from "node:crypto";

import type { ScriptedFault } from "./faults/faults.ts";

/** The options that all simulated sidecars have. */
export interface CommonOptions {
  /** The seed. The same seed and clock give the same world and the same events. The default is 1. */
  readonly seed?: number | string | undefined;
  /** The port. The default 0 means any free port. */
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly token?: string | undefined;
  readonly protocol?: number | undefined;
  /** The number of events per second that the game emits by itself. The default is 0. */
  readonly rate?: number | undefined;
  /** A prefix of all paths before `/v1`, for example `/bridge`. */
  readonly prefix?: string | undefined;
  /**
   * A file that stores the buffer and the answers for the next process. Without it, they are lost
   * at the end of the process.
   */
  readonly bufferFile?: string | undefined;
  /**
   * The seed of the ids of epochs and boots. It is random by default, because a process without its
   * old buffer needs a new epoch.
   */
  readonly incarnation?: string | undefined;
  /** The clock, in epoch milliseconds. By default it is that of the machine. */
  readonly clock?: (() => number) | undefined;
  readonly faults?: readonly ScriptedFault[] | undefined;
  /** True if the game runs from the start. This is the default. */
  readonly boot?: boolean | undefined;
  readonly keepRows?: number | undefined;
  readonly keepMs?: number | undefined;
  /** The number of events beyond which the buffer drops events that are not acknowledged. */
  readonly maxRows?: number | undefined;
  /** The milliseconds of silence after which a client is disconnected. */
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

/** Adds the defaults to the common options. @throws if an option is not supported */
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
