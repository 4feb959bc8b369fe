import { parseArgs } from "node:util";

import { ConfigError, readEnvironment } from "../../shared/platform/config/config.ts";
import { signalDebounceMs, onParentExit } from "../../shared/platform/process/process.ts";
import { LaunchError } from "./launch/launch-error.ts";
import { StandaloneSite } from "./machine/machine.ts";
import { type LaunchOptions, createLaunchPlan } from "./machine/plan.ts";
import { formatSummary } from "./machine/summary.ts";

const usage = `npm start [-- --verbose]     runs the service on this machine
npm run demo [-- --verbose]  the same with a simulated shard, accounts and a page to look at
`;

/** Timeout of the stop. Processes that are still running end by themselves when this process has ended. */
const stopWithinMs = 14_500;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

// The terminal may be closed while the service keeps running, so ignore errors of its output.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

const startedAt = performance.now();
let machine: StandaloneSite | undefined;
let stoppingSince: number | undefined;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (stoppingSince === undefined) void stopOnRequest();
    else if (performance.now() - stoppingSince > signalDebounceMs) process.exit(1);
  });
}
onParentExit(() => {
  if (stoppingSince === undefined) void stopOnRequest();
});
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
  const plan = await createLaunchPlan(options, readEnvironment());
  machine = new StandaloneSite(plan, say);
  const started = await machine.start();
  const seconds = (performance.now() - startedAt) / 1000;
  say(formatSummary(plan, started, seconds));
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
    throw new LaunchError(`${(error as Error).message}\n${usage}`, { cause: error });
  }
}

async function stopOnRequest(): Promise<void> {
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
  // An error of the operating system names its file or address, so it needs no stack.
  const isPlain = error instanceof LaunchError || error instanceof ConfigError || syscall;
  return isPlain ? message : (stack ?? String(error));
}

async function stop(exitCode: number): Promise<void> {
  stoppingSince = performance.now();
  setTimeout(() => process.exit(1), stopWithinMs).unref();
  await machine?.stop();
  if (exitCode === 0) say("stopped");
  process.exit(exitCode);
}
