import { inspect } from "node:util";

import type { ChildProgram } from "../support/service/own-process.ts";
import { History } from "./history.ts";

export interface FaultOptions {
  /** The same seed gives the same faults in the same order. */
  readonly seed: string;
  /** True for a single round, without faults that take long. */
  readonly short: boolean;
  /** True to print each entry of the history at once. */
  readonly verbose: boolean;
}

interface Stopped {
  stop(): Promise<void>;
}

interface Struck extends Stopped {
  readonly processes: readonly ChildProgram[];
}

/** Registers a service that is stopped at the end of the run, even if the run fails. */
type Keep = <Service extends Struck>(service: Service) => Service;

interface FaultRun {
  readonly name: string;
  readonly seed: string;
  readonly history: History;
  /** Servers that are stopped in this order, after the service. */
  readonly around: readonly Stopped[];
}

export const historyOf = ({ verbose }: Pick<FaultOptions, "verbose">): History =>
  new History(verbose ? (line) => void process.stdout.write(`${line}\n`) : undefined);

/**
 * Starts a service, injects faults and checks the results. Then stops everything and prints the
 * report.
 * @returns true if no claim was violated
 */
export async function runFaultTest(
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
