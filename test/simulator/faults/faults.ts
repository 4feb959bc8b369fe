import { FaultError } from "./fault.ts";
import type { Fault, FaultDefaults, SidecarFaultTarget, OptionsOf } from "./fault.ts";

export type Catalogue = Readonly<
  Record<
    string,
    { readonly defaults: FaultDefaults; readonly run: (scene: never, options: never) => void }
  >
>;

/** The type of scene (parts of a sidecar) on which each fault of the catalog can run. */
type SceneOf<C extends Catalogue> = SidecarFaultTarget &
  UnionToIntersection<Parameters<C[keyof C]["run"]>[0]>;

type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (
  all: infer I,
) => void
  ? I
  : never;

type NameOf<C extends Catalogue> = keyof C & string;
type FaultOptions<C extends Catalogue, N extends NameOf<C>> = Partial<OptionsOf<C[N]["defaults"]>>;

/**
 * A fault and the condition that triggers it: a number of events, or a number of milliseconds since the start.
 */
export type ScriptedFault = { readonly fault: string } & Readonly<Record<string, unknown>> & {
    readonly afterEvents?: number;
    readonly afterMs?: number;
  };

export interface Faults<C extends Catalogue> {
  /** Triggers a fault. @throws {FaultError} for an unknown option */
  readonly trigger: <N extends NameOf<C>>(name: N, options?: FaultOptions<C, N>) => void;
  /** Triggers a fault from JSON of the form `{ fault, ...options }`. */
  readonly request: (asked: unknown) => void;
  /** Ends all active faults. Does not undo their effects. */
  readonly clear: () => void;
  /** The triggered faults in order, with all their options. */
  readonly triggered: readonly Readonly<Record<string, unknown>>[];
}

export function createFaults<C extends Catalogue>(catalogue: C, scene: SceneOf<C>): Faults<C> {
  const triggered: Record<string, unknown>[] = [];
  const run = (name: string, given: Readonly<Record<string, unknown>>): void => {
    const { defaults, run: strike } = find<SceneOf<C>>(catalogue, name);
    const options = settle(defaults, given);
    triggered.push({ fault: name, ...options });
    strike(scene, options);
  };
  return {
    triggered,
    trigger: (name, options = {}) => run(name, options),
    request: (asked) => {
      const { fault: name, ...options } = asFields(asked);
      run(String(name), options);
    },
    clear: () => scene.standing.clear(),
  };
}

/** Checks the faults of a script. Called before the simulator starts. */
export function checkScript(catalogue: Catalogue, script: readonly ScriptedFault[]): void {
  for (const { fault: name, afterEvents, afterMs, ...options } of script) {
    settle(find(catalogue, name).defaults, options);
    if ((afterEvents === undefined) === (afterMs === undefined)) {
      throw new FaultError(`${name} must be due afterEvents or afterMs, one of the two`);
    }
  }
}

function find<S>(catalogue: Catalogue, name: string): Fault<S> {
  if (!Object.hasOwn(catalogue, name)) {
    throw new FaultError(`fault must be one of ${Object.keys(catalogue).join(", ")}`);
  }
  return catalogue[name] as unknown as Fault<S>;
}

/** Adds the defaults to the options. @throws if an option does not have the type of its default */
function settle(defaults: FaultDefaults, given: Readonly<Record<string, unknown>>): FaultDefaults {
  for (const [option, value] of Object.entries(given)) {
    const byDefault = defaults[option];
    if (byDefault === undefined) {
      throw new FaultError(`${option} is no option of it: ${Object.keys(defaults).join(", ")}`);
    }
    if (typeof value !== typeof byDefault || Array.isArray(value) !== Array.isArray(byDefault)) {
      throw new FaultError(`${option} must be as in ${JSON.stringify(byDefault)}`);
    }
  }
  return { ...defaults, ...(given as FaultDefaults) };
}

function asFields(asked: unknown): Record<string, unknown> {
  if (typeof asked !== "object" || asked === null) throw new FaultError("must be an object");
  return { ...asked };
}
