import { parseArgs } from "node:util";

import { ConfigError } from "../config/config.ts";
import { LaunchFault } from "./launch-fault.ts";
import { Machine } from "./machine.ts";
import { type LaunchOptions, makePlan, readEnvironment } from "./plan.ts";
import { describeStart } from "./summary.ts";

const usage = `npm start [-- --verbose]     runs the service on this machine
npm run demo [-- --verbose]  the same with a simulated shard, accounts and a page to look at
`;

/** A terminal's Ctrl-C comes twice, from the terminal and from npm: only a later one is meant. */
const meantAgainAfterMs = 1_000;

/** What has not stopped by then is left to its leash. */
const stopWithinMs = 14_500;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

// Who reads along may go away; the service runs on.
process.stdout.on("error", () => undefined);

const startedAt = performance.now();
let machine: Machine | undefined;
let stoppingSince: number | undefined;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (stoppingSince === undefined) void stopAsAsked();
    else if (performance.now() - stoppingSince > meantAgainAfterMs) process.exit(1);
  });
}
process.on("uncaughtException", (error) => void fail(error));
process.on("unhandledRejection", (error) => void fail(error));

try {
  await launch(readOptions(process.argv.slice(2)));
} catch (error) {
  await fail(error);
}

async function launch(options: LaunchOptions | undefined): Promise<void> {
  if (!options) {
    process.stdout.write(usage);
    return;
  }
  const plan = await makePlan(options, readEnvironment());
  machine = new Machine(plan, say);
  const started = await machine.start();
  const seconds = (performance.now() - startedAt) / 1000;
  say(describeStart(plan, started, seconds));
  await machine.importDemo();
}

function readOptions(given: string[]): LaunchOptions | undefined {
  const flag = { type: "boolean", default: false } as const;
  try {
    const { values } = parseArgs({
      args: given,
      options: { demo: flag, verbose: flag, help: flag },
    });
    return values.help ? undefined : values;
  } catch (error) {
    throw new LaunchFault(`${(error as Error).message}\n${usage}`, { cause: error });
  }
}

async function stopAsAsked(): Promise<void> {
  say("stopping …");
  await stop(0);
}

async function fail(error: unknown): Promise<void> {
  if (stoppingSince !== undefined) return;
  process.stderr.write(`\n${explain(error)}\n`);
  await stop(1);
}

function explain(error: unknown): string {
  const { message, stack, syscall } = error as NodeJS.ErrnoException;
  // What the system refused says itself which file or address it was.
  const isPlain = error instanceof LaunchFault || error instanceof ConfigError || syscall;
  return isPlain ? message : (stack ?? String(error));
}

async function stop(exitCode: number): Promise<void> {
  stoppingSince = performance.now();
  setTimeout(() => process.exit(1), stopWithinMs).unref();
  await machine?.stop();
  if (exitCode === 0) say("stopped");
  process.exit(exitCode);
}
