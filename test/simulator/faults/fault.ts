import type { EventBuffer } from "../stream/buffer.ts";
import type { FrameForm } from "../stream/forms.ts";
import type { Stream } from "../stream/stream.ts";
import type { ActiveFaults } from "./standing.ts";

/** The parts of a game process that faults of any sidecar use. */
export interface FaultyGame {
  readonly happen: (count: number) => number;
  /** Emits an ordinary event in a malformed frame. */
  readonly sayOddly: (form: FrameForm) => unknown;
  readonly boot: () => void;
  readonly leave: (reason: "shutdown" | "restart" | "crash") => void;
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly save: () => void;
}

/** The parts of a sidecar that faults change. */
export interface FaultScene {
  readonly game: FaultyGame;
  readonly buffer: EventBuffer;
  readonly stream: Stream;
  readonly standing: ActiveFaults;
  /** Stops listening, cuts every connection, and listens on the same port again. */
  readonly vanish: (ms: number) => void;
  /** Runs later; canceled when the simulator stops. */
  readonly later: (ms: number, run: () => void) => void;
}

type Value = number | string | boolean | readonly string[];
export type FaultDefaults = Readonly<Record<string, Value>>;

/** The general type of a default: `number` for `5`. */
type Widened<T> = T extends number
  ? number
  : T extends string
    ? string
    : T extends boolean
      ? boolean
      : readonly string[];

export type OptionsOf<D extends FaultDefaults> = { readonly [K in keyof D]: Widened<D[K]> };

export interface Fault<S, D extends FaultDefaults = FaultDefaults> {
  /** Every option of the fault with its default. */
  readonly defaults: D;
  readonly run: (scene: S, options: OptionsOf<D>) => void;
}

/** Returns a factory of faults for scenes of one type. */
export const faultOf =
  <S>() =>
  <const D extends FaultDefaults>(
    defaults: D,
    run: (scene: S, options: OptionsOf<D>) => void,
  ): Fault<S, D> => ({ defaults, run });

export const fault = faultOf<FaultScene>();

/** An invalid request for a fault; the message names the allowed values. */
export class FaultError extends Error {
  override readonly name = "FaultError";
}

export function known<const T extends string>(
  option: string,
  value: string,
  values: readonly T[],
): T {
  const found = values.find((one) => one === value);
  if (found === undefined) throw new FaultError(`${option} must be one of ${values.join(", ")}`);
  return found;
}

/** Converts the option `times`: 0 means unlimited until the faults are cleared. */
export const timesOf = (times: number): number => (times === 0 ? Number.POSITIVE_INFINITY : times);
