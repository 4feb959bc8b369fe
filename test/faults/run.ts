import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";

import { spawnScript } from "../../jobs/commands/launch/script.ts";
import { keepRunOnDisk } from "../support/runner/run-folder.ts";
import { runFailoverFaults } from "./continuity/failover-faults.ts";
import { runPauseFaults } from "./continuity/pause-faults.ts";
import { runEventFaults } from "./events/event-faults.ts";
import { reportViolations } from "./failure-report.ts";
import { runFaults } from "./faults.ts";
import { runPluginFaults } from "./plugin/plugin-faults.ts";
import { runSurvivalFaults } from "./survival/survival-faults.ts";

/** CATALOGUE of fault runs, in order. */
const all = {
  service: runFaults,
  events: runEventFaults,
  survival: runSurvivalFaults,
  plugin: runPluginFaults,
  failover: runFailoverFaults,
  pauses: runPauseFaults,
} as const;

/** Runs that take more than a minute even when short. A short run without names leaves them out. */
const long: readonly string[] = ["pauses"];

/** The number of runs at once. Each run has about ten processes. */
const concurrentRuns = 3;

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
process.exit(failed.length > 0 ? 1 : 0);

/** Runs the fault runs one after another. @returns the names of the failed runs */
async function runInTurn(names: readonly string[]): Promise<string[]> {
  keepRunOnDisk();
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
 * Runs several fault runs at once, because a run mostly waits for recovery. Each run has a process of its own.
 * @returns the names of the failed runs
 */
async function runBeside(names: readonly string[]): Promise<string[]> {
  const flags = ["--short", "--seed", seed, ...(values.verbose ? ["--verbose"] : [])];
  const left = [...names];
  const failing: string[] = [];
  const runNext = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const { end, said, complaints } = await runAlone(name, flags);
      process.stdout.write(`${said}${complaints}`);
      if (end === "passed") continue;
      failing.push(name);
      if (!said.includes("VIOLATED: ")) reportViolations(name, [end, ...lastWords(complaints)]);
    }
  };
  await Promise.all(Array.from({ length: concurrentRuns }, runNext));
  return failing;
}

/** Returns the last lines of error output, for a run that ended without a report. */
function lastWords(complaints: string): string[] {
  const isFrame = /^\s*at /;
  return complaints
    .split("\n")
    .filter((line) => line.trim() && !isFrame.test(line))
    .slice(-5);
}

interface EndedRun {
  /** "passed", or the exit code or signal of the run. */
  readonly end: string;
  readonly said: string;
  readonly complaints: string;
}

/**
 * Starts the run in a session of its own. Linux divides the CPU time between sessions, so runs in
 * one session would get too little.
 */
async function runAlone(name: string, flags: readonly string[]): Promise<EndedRun> {
  const child = spawnScript({
    name,
    file: "test/faults/run.ts",
    arguments: [name, ...flags],
    environment: process.env,
  });
  const [said, complaints, end] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, "close"),
  ]);
  return { end: endOf(end), said, complaints };
}

async function textOf(stream: Readable | null): Promise<string> {
  return stream ? text(stream) : "";
}

function endOf([code, signal]: readonly (number | string | null)[]): string {
  return code === 0 ? "passed" : `ended by ${signal ?? `code ${code}`}`;
}
