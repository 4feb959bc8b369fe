import { controlFaults, walkFaults } from "./control-faults.ts";
import { FaultError } from "./fault.ts";
import type { Fault, FaultDefaults, FaultScene, OptionsOf } from "./fault.ts";
import { gameFaults } from "./game-faults.ts";
import { streamFaults } from "./stream-faults.ts";

/** CATALOGUE of faults. */
const catalogue = { ...streamFaults, ...gameFaults, ...controlFaults, ...walkFaults };

type FaultName = keyof typeof catalogue;
type Defaults<N extends FaultName> = (typeof catalogue)[N]["defaults"];
type FaultOptions<N extends FaultName> = Partial<OptionsOf<Defaults<N>>>;

/** A fault and when it is due: after so many events, or so many ms after the start. */
export type ScriptedFault = { readonly fault: FaultName } & Readonly<Record<string, unknown>> & {
    readonly afterEvents?: number;
    readonly afterMs?: number;
  };

export interface Faults {
  /** Throws FaultError for options the fault does not have. */
  readonly trigger: <N extends FaultName>(name: N, options?: FaultOptions<N>) => void;
  /** The same for what came in as JSON: `{ fault, ...options }`. */
  readonly request: (asked: unknown) => void;
  /** Every standing fault is forgotten; what has happened stays. */
  readonly clear: () => void;
  /** Each fault that was triggered, in order, with all its options. */
  readonly triggered: readonly Readonly<Record<string, unknown>>[];
}

export function createFaults(scene: FaultScene): Faults {
  const triggered: Record<string, unknown>[] = [];
  const run = (name: string, given: Readonly<Record<string, unknown>>): void => {
    const { defaults, run: strike } = find(name);
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

/** A script, checked before anything is started, as what is due when. */
export function checkScript(script: readonly ScriptedFault[]): void {
  for (const { fault: name, afterEvents, afterMs, ...options } of script) {
    settle(find(name).defaults, options);
    if ((afterEvents === undefined) === (afterMs === undefined)) {
      throw new FaultError(`${name} must be due afterEvents or afterMs, one of the two`);
    }
  }
}

function find(name: string): Fault {
  if (!Object.hasOwn(catalogue, name)) {
    throw new FaultError(`fault must be one of ${Object.keys(catalogue).join(", ")}`);
  }
  return catalogue[name as FaultName] as unknown as Fault;
}

/** The defaults with what was given in their place, each of the type of its default. */
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
