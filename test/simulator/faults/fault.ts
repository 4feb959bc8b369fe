import type { EventBuffer } from "../stream/buffer.ts";
import type { FrameForm } from "../stream/forms.ts";
import type { SidecarEventStream } from "../stream/stream.ts";
import type { ActiveFaults } from "./standing.ts";

/** The functions of a game that faults of any sidecar use. */
export interface FaultyGame {
  readonly happen: (count: number) => number;
  /** Emits an ordinary event in a malformed frame of this form. */
  readonly sayOddly: (form: FrameForm) => unknown;
  readonly boot: () => void;
  readonly leave: (reason: "shutdown" | "restart" | "crash") => void;
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly save: () => void;
}

/** The parts of a sidecar that faults change. */
export interface SidecarFaultTarget {
  readonly game: FaultyGame;
  readonly buffer: EventBuffer;
  readonly stream: SidecarEventStream;
  readonly standing: ActiveFaults;
  /** Stops listening, ends all connections, and listens on the same port again after `ms`. */
  readonly vanish: (ms: number) => void;
  /** Calls `run` later. Stopping the simulator cancels the call. */
  readonly later: (ms: number, run: () => void) => void;
}

type Value = number | string | boolean | readonly string[];
export type FaultDefaults = Readonly<Record<string, Value>>;

/** The type of an option, from the type of its default: `number` for 5. */
type Widened<T> = T extends number
  ? number
  : T extends string
    ? string
    : T extends boolean
      ? boolean
      : readonly string[];

export type OptionsOf<D extends FaultDefaults> = { readonly [K in keyof D]: Widened<D[K]> };

export interface Fault<S, D extends FaultDefaults = FaultDefaults> {
  /** All options of the fault, with their defaults. */
  readonly defaults: D;
  readonly run: (scene: S, options: OptionsOf<D>) => void;
}

/** Returns a function that defines faults for one type of sidecar. `S` is the scene that its faults change. */
export const faultOf =
  <S>() =>
  <const D extends FaultDefaults>(
    defaults: D,
    run: (scene: S, options: OptionsOf<D>) => void,
  ): Fault<S, D> => ({ defaults, run });

export const fault = faultOf<SidecarFaultTarget>();

/** Thrown if a test requests a fault with invalid options. The message names the allowed values. */
export class FaultError extends Error {
  override readonly name = "FaultError";
}

export function requireKnownOption<const T extends string>(
  option: string,
  value: string,
  values: readonly T[],
): T {
  const found = values.find((one) => one === value);
  if (found === undefined) throw new FaultError(`${option} must be one of ${values.join(", ")}`);
  return found;
}

/** Returns how often a fault applies. For the option 0 this is until faults are cleared. */
export const timesOf = (times: number): number => (times === 0 ? Number.POSITIVE_INFINITY : times);
