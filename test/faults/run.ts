import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";

import { runFailoverFaults } from "./continuity/failover-faults.ts";
import { runPauseFaults } from "./continuity/pause-faults.ts";
import { runEventFaults } from "./events/event-faults.ts";
import { reportRun } from "./failure-report.ts";
import { runFaults } from "./faults.ts";
import { runSurvivalFaults } from "./survival/survival-faults.ts";

/** CATALOGUE of fault runs, in the order in which they run. */
const all = {
  service: runFaults,
  events: runEventFaults,
  survival: runSurvivalFaults,
  failover: runFailoverFaults,
  pauses: runPauseFaults,
} as const;

/** What takes more than a minute in its short form too: a short run has it only where it is named. */
const long: readonly string[] = ["pauses"];

/** Each has some ten processes of its own. */
const beside = 3;

const flag = { type: "boolean", default: false } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string" }, short: flag, verbose: flag },
});
const unknown = positionals.filter((name) => !Object.hasOwn(all, name));
if (unknown.length > 0) {
  const names = Object.keys(all).join(", ");
  process.stderr.write(`No such fault run: ${unknown.join(", ")}. There are ${names}.\n`);
  process.exit(78);
}
const seed = values.seed ?? randomBytes(4).toString("hex");
const isAsked = (name: string): boolean =>
  positionals.length > 0 ? positionals.includes(name) : !(values.short && long.includes(name));
const asked = Object.keys(all).filter(isAsked);
const failed = values.short && asked.length > 1 ? await runBeside(asked) : await runInTurn(asked);
for (const name of failed) reportRun(name);
process.exit(failed.length > 0 ? 1 : 0);

/** @returns those that failed */
async function runInTurn(names: readonly string[]): Promise<string[]> {
  const failing: string[] = [];
  for (const name of names) {
    process.stdout.write(
      `faults of ${name}, seed ${seed} (npm run faults -- ${name} --seed ${seed} meets the same)\n`,
    );
    if (!(await all[name as keyof typeof all]({ ...values, seed }))) failing.push(name);
  }
  return failing;
}

/**
 * Each in a process of its own, some at once: much of a run is waiting for what was struck.
 * @returns those that failed
 */
async function runBeside(names: readonly string[]): Promise<string[]> {
  const flags = ["--short", "--seed", seed, ...(values.verbose ? ["--verbose"] : [])];
  const left = [...names];
  const failing: string[] = [];
  const runNext = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const { hasFailed, said } = await runAlone([import.meta.filename, name, ...flags]);
      process.stdout.write(said);
      if (hasFailed) failing.push(name);
    }
  };
  await Promise.all(Array.from({ length: beside }, runNext));
  return failing;
}

function runAlone(args: readonly string[]): Promise<{ hasFailed: boolean; said: string }> {
  const { promise, resolve } = Promise.withResolvers<{ hasFailed: boolean; said: string }>();
  execFile(
    process.execPath,
    [...process.execArgv, ...args],
    { maxBuffer: Infinity },
    (error, stdout, stderr) => resolve({ hasFailed: error !== null, said: stdout + stderr }),
  );
  return promise;
}
