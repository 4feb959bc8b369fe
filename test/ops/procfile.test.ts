import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { projectFolder } from "../../jobs/commands/launch/script.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database/database.ts";
import { takeFreePortPair } from "../support/network/ports.ts";
import { testEnvironment } from "../support/service/server.ts";
import { descendantsOf, isAlive } from "./launcher.ts";

const folder = mkdtempSync(path.join(tmpdir(), "guildhall-procfile-"));
let database: TestDatabase;
const runners: ChildProcess[] = [];
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(async () => {
  for (const { pid = 0 } of runners) {
    for (const one of [...descendantsOf(pid), { pid }]) {
      if (isAlive(one.pid)) process.kill(one.pid, "SIGKILL");
    }
  }
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const [command = "", ...words] =
  /^npx nf start .*$/m
    .exec(readFileSync(path.join(projectFolder, "docs/operate/deploy.md"), "utf8"))?.[0]
    .split(" ") ?? [];

const isTaken = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly port?: number;
  readonly internalPort?: number;
}

/** Runs the documented command like a user, with `DATABASE_URL` and `PORT` in a file. */
function startRunner(port: number) {
  const file = path.join(folder, "environment");
  writeFileSync(file, `DATABASE_URL=${database.url}\nPORT=${port}\n`);
  const { DATABASE_URL: _, ...others } = testEnvironment(database.url);
  const child = spawn(command, [...words, "--env", file], {
    cwd: projectFolder,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      HOST: "127.0.0.1",
      ...others,
      LOG_LEVEL: "info",
    },
  });
  runners.push(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  }
  const lines = () =>
    [...stripVTControlCharacters(said).matchAll(/ (\w+\.\d+) +\| +(\{.*\})\s*$/gm)].map(
      ([, name = "", text = ""]) => ({ name, ...(JSON.parse(text) as Line) }),
    );
  return { child, pid: child.pid as number, lines, said: () => said };
}

const programs = ["ingest.1", "web.1", "web.2", "worker.1", "worker.2"];

describe("the documented command that starts all processes on one machine", () => {
  it.each([
    ["an empty database", "SIGINT", "to all processes of its terminal"],
    ["a database that is up to date", "SIGTERM", "to the runner only"],
  ] as const)(
    "starts all processes on %s, and the signal %s %s ends them all",
    async (_ground, signal, to) => {
      const port = await takeFreePortPair();
      const { child, pid, lines, said } = startRunner(port);
      const working = () => lines().filter(({ internalPort }) => internalPort !== undefined);
      const isReleased = () => lines().some(({ msg }) => msg.startsWith("the release is done"));
      const isUp = () => isReleased() && working().length === programs.length;
      await waitUntil(said, () => isUp() || child.exitCode !== null);
      expect(
        working()
          .map(({ name }) => name)
          .toSorted(),
      ).toEqual(programs);
      expect(lines().filter(({ level }) => level === "error" || level === "fatal")).toEqual([]);

      const webs = working().filter(({ name }) => name.startsWith("web."));
      const ports = webs.map((web) => web.port ?? 0).toSorted((one, other) => one - other);
      expect(ports).toEqual([port, port + 1]);
      const healths = working().map(({ internalPort }) => internalPort);
      expect(new Set([...ports, ...healths]).size).toBe(ports.length + healths.length);
      const asked = [
        ...ports.map((one) => `http://127.0.0.1:${one}/api/v1/public/status`),
        ...healths.map((one) => `http://127.0.0.1:${one}/internal/health?probe=ready`),
      ];
      const answers = await Promise.all(asked.map(async (url) => (await fetch(url)).status));
      expect(answers).toEqual(asked.map(() => 200));

      const all = descendantsOf(pid);
      expect(all.length).toBeGreaterThan(programs.length);
      const ended = once(child, "exit");
      process.kill(to === "to the runner only" ? pid : -pid, signal);
      await ended;
      const alive = () => all.filter((one) => isAlive(one.pid));
      await waitUntil(
        () => `they end: ${JSON.stringify(alive())}\n${said()}`,
        () => alive().length === 0,
      );
      expect(await Promise.all([port, port + 1].map(isTaken))).toEqual([false, false]);
    },
  );
});
