import { randomUUID } from "node:crypto";

import type { ScriptedFault } from "./faults/faults.ts";

/** What any sidecar is started with. */
export interface CommonOptions {
  /** The same seed and clock make the same world and the same happenings in it. Default 1. */
  readonly seed?: number | string | undefined;
  /** Default 0: any that is free. */
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly token?: string | undefined;
  readonly protocol?: number | undefined;
  /** Events a second that happen by themselves. Default 0: only what is asked for. */
  readonly rate?: number | undefined;
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
  readonly keepRows?: number | undefined;
  readonly keepMs?: number | undefined;
  /** Beyond this the buffer drops what nobody acknowledged. */
  readonly maxRows?: number | undefined;
  /** A client from which nothing came for so long is cut off. */
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

/** What was given, and the default where nothing was. */
export const withDefaults = <D extends object, O extends object>(defaults: D, options: O): D & O =>
  ({
    ...defaults,
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  }) as D & O;

/** Every common option settled; throws for one that no sidecar could keep. */
export function settleCommon(options: CommonOptions, protocol: number): CommonSettings {
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
