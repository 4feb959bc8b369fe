import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, describe, expect, it } from "@jest/globals";

import { until } from "../support/wait.ts";
import { isAlive } from "./launcher.ts";

const setup = path.join(import.meta.dirname, "../support/global-setup.ts");
const program = `
  const { default: setUp } = await import(process.argv[1]);
  await setUp();
  process.stdout.write(globalThis.testPostgres.folder);
  setInterval(() => undefined, 1_000);`;

/** Where these runs alone have their folders: any other run would sweep what the killed one left. */
const place = mkdtempSync(path.join(tmpdir(), "guildhall-killed-"));
const runs: ChildProcess[] = [];
afterAll(() => {
  for (const run of runs) run.kill("SIGKILL");
  rmSync(place, { recursive: true, force: true, maxRetries: 10 });
});

/** Sets up as a test run does, in a process of its own. */
async function startRun(): Promise<{ run: ChildProcess; folder: string; server: number }> {
  const run = spawn(process.execPath, ["--input-type=module", "-e", program, setup], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TEST_RUNS_IN: place },
  });
  runs.push(run);
  const [said] = (await once(run.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const folder = said.toString();
  expect(path.dirname(folder)).toBe(place);
  const [pid] = readFileSync(path.join(folder, "db/postmaster.pid"), "utf8").split("\n");
  return { run, folder, server: Number(pid) };
}

describe("a test run that is killed", () => {
  it("takes its database server with it, and the next run removes its folder", async () => {
    const killed = await startRun();
    expect(isAlive(killed.server)).toBe(true);
    killed.run.kill("SIGKILL");
    await until("the server has ended", () => !isAlive(killed.server));
    expect(existsSync(killed.folder)).toBe(true);
    const next = await startRun();
    expect(existsSync(killed.folder)).toBe(false);
    expect(existsSync(next.folder)).toBe(true);
  });
});
