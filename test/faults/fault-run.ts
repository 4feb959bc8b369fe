import { inspect } from "node:util";

import type { ChildProgram } from "../support/service/own-process.ts";
import { History } from "./history.ts";

export interface FaultOptions {
  /** The same seed gives the same faults in the same order. */
  readonly seed: string;
  /** True for one round without long faults. */
  readonly short: boolean;
  /** True to print everything immediately. */
  readonly verbose: boolean;
}

interface Stopped {
  stop(): Promise<void>;
}

interface Struck extends Stopped {
  readonly processes: readonly ChildProgram[];
}

/** Registers a service to be stopped with the run, however that ends. */
type Keep = <Service extends Struck>(service: Service) => Service;

interface FaultRun {
  readonly name: string;
  readonly seed: string;
  readonly history: History;
  /** Stopped after the service, in this order. */
  readonly around: readonly Stopped[];
}

export const historyOf = ({ verbose }: Pick<FaultOptions, "verbose">): History =>
  new History(verbose ? (line) => void process.stdout.write(`${line}\n`) : undefined);

/** Starts, strikes and checks a service, stops everything and reports. @returns true if no claim was violated */
export async function goThroughFaults(
  { name, seed, history, around }: FaultRun,
  strike: (keep: Keep) => Promise<void>,
): Promise<boolean> {
  const running: Struck[] = [];
  const keep: Keep = (service) => {
    running.push(service);
    return service;
  };
  try {
    await strike(keep);
  } catch (error) {
    history.violate("the run goes through", { error: inspect(error) });
  }
  const processes = running.flatMap((service) => service.processes);
  for (const one of processes) {
    const { name: ended, deaths } = one;
    history.claim(`${ended} ends only when it is ended`, deaths.length === 0, { deaths });
  }
  for (const one of [...running, ...around]) await one.stop();
  const said = Object.fromEntries(processes.map((one) => [one.name, one.said]));
  return history.report({ name, seed }, { said });
}
