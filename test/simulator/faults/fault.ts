import type { EventBuffer } from "../stream/buffer.ts";
import type { FrameForm } from "../stream/forms.ts";
import type { Stream } from "../stream/stream.ts";
import type { StandingFaults } from "./standing.ts";

/** The game process as a fault of any sidecar reaches for it. */
export interface FaultyGame {
  readonly happen: (count: number) => number;
  /** Says something plain in an odd form. */
  readonly sayOddly: (form: FrameForm) => unknown;
  readonly boot: () => void;
  readonly leave: (reason: "shutdown" | "restart" | "crash") => void;
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly save: () => void;
}

/** What a fault of any sidecar reaches into. */
export interface FaultScene {
  readonly game: FaultyGame;
  readonly buffer: EventBuffer;
  readonly stream: Stream;
  readonly standing: StandingFaults;
  /** Stops listening, cuts every connection, and listens on the same port again. */
  readonly vanish: (ms: number) => void;
  /** Runs later; forgotten when the simulator stops. */
  readonly later: (ms: number, run: () => void) => void;
}

type Value = number | string | boolean | readonly string[];
export type FaultDefaults = Readonly<Record<string, Value>>;

/** The type a default stands for: `5` for any number. */
type Widened<T> = T extends number
  ? number
  : T extends string
    ? string
    : T extends boolean
      ? boolean
      : readonly string[];

export type OptionsOf<D extends FaultDefaults> = { readonly [K in keyof D]: Widened<D[K]> };

export interface Fault<S, D extends FaultDefaults = FaultDefaults> {
  /** Every option of the fault with the value it has when nobody gives one. */
  readonly defaults: D;
  readonly run: (scene: S, options: OptionsOf<D>) => void;
}

/** Makes faults that reach into a scene of the type. */
export const faultOf =
  <S>() =>
  <const D extends FaultDefaults>(
    defaults: D,
    run: (scene: S, options: OptionsOf<D>) => void,
  ): Fault<S, D> => ({ defaults, run });

export const fault = faultOf<FaultScene>();

/** A fault that was asked for wrongly; the reason names what is allowed. */
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

/** `times` of an option: 0 stands for every time until the faults are cleared. */
export const timesOf = (times: number): number => (times === 0 ? Number.POSITIVE_INFINITY : times);
