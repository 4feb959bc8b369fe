import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import { waitUntil } from "../support/clock/wait.ts";
import { isAlive } from "./launcher.ts";

const setup = path.join(import.meta.dirname, "../support/runner/global-setup.ts");
const suite = `
  import path from "node:path";
  const { default: setUp } = await import(process.argv[1]);
  await setUp();
  process.send(path.dirname(process.env.TEST_ANSWERS_FILE));
  setInterval(() => undefined, 1_000);`;

const runFolder = path.join(import.meta.dirname, "../support/runner/run-folder.ts");
const onDisk = `
  const { keepRunOnDisk } = await import(process.argv[1]);
  process.on("SIGTERM", () => process.exit());
  keepRunOnDisk();
  process.send(process.env.TMPDIR);
  setInterval(() => undefined, 1_000);`;

/**
 * A folder for the temporary files of these runs. In the common folder, any other test run would
 * remove the folders of a killed run.
 */
const place = mkdtempSync(path.join(tmpdir(), "guildhall-killed-"));
const runs: ChildProcess[] = [];
afterAll(() => {
  for (const run of runs) run.kill("SIGKILL");
  rmSync(place, { recursive: true, force: true, maxRetries: 10 });
});

interface StartedRun {
  readonly run: ChildProcess;
  readonly folder: string;
}

/** Runs a program in a process of its own. Resolves when it has reported its folder. */
async function start(program: string, module: string): Promise<StartedRun> {
  const run = spawn(process.execPath, ["--input-type=module", "-e", program, module], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, TEST_RUNS_IN: place },
  });
  runs.push(run);
  const [folder] = (await once(run, "message")) as [string];
  expect(path.dirname(folder)).toBe(place);
  return { run, folder };
}

/** Starts the global setup of a test run. */
async function startRun(): Promise<StartedRun & { readonly server: number }> {
  const started = await start(suite, setup);
  const [pid] = readFileSync(path.join(started.folder, "db/postmaster.pid"), "utf8").split("\n");
  return { ...started, server: Number(pid) };
}

describe("a test run that is killed", () => {
  it("ends its database server, and the next run removes the folder of the killed run", async () => {
    const killed = await startRun();
    expect(isAlive(killed.server)).toBe(true);
    killed.run.kill("SIGKILL");
    await waitUntil("the server has ended", () => !isAlive(killed.server));
    expect(existsSync(killed.folder)).toBe(true);
    const next = await startRun();
    expect(existsSync(killed.folder)).toBe(false);
    expect(existsSync(next.folder)).toBe(true);
  });
});

describe("the folder of a run of fault tests or benchmarks", () => {
  it("is removed when the run ends, and by the next run if the run was killed", async () => {
    const ended = await start(onDisk, runFolder);
    expect(existsSync(ended.folder)).toBe(true);
    const exited = once(ended.run, "exit");
    ended.run.kill("SIGTERM");
    await exited;
    expect(existsSync(ended.folder)).toBe(false);
    const killed = await start(onDisk, runFolder);
    const died = once(killed.run, "exit");
    killed.run.kill("SIGKILL");
    await died;
    expect(existsSync(killed.folder)).toBe(true);
    const next = await start(onDisk, runFolder);
    expect(existsSync(killed.folder)).toBe(false);
    expect(existsSync(next.folder)).toBe(true);
  });
});
