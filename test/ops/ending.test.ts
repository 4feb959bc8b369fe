import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, afterEach, describe, expect, it } from "vitest";

import { projectFolder } from "../../jobs/commands/launch/script.ts";
import { until } from "../support/clock/wait.ts";

const folder = mkdtempSync(path.join(tmpdir(), "guildhall-ending-"));
const data = path.join(folder, "data");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Started {
  readonly at: number;
  readonly npm: ChildProcess;
  readonly said: () => string;
}

/** Starts npm as a user does: npm runs a shell, which runs the program. */
function start(script: "start" | "demo"): Started {
  const at = Date.now();
  const npm = spawn("npm", ["run", script], {
    cwd: projectFolder,
    env: {
      ...process.env,
      // Empty, so that no `.env` of the project sets them.
      DATABASE_URL: "",
      DATABASE_LISTEN_URL: "",
      SMTP_URL: "",
      DATA_FOLDER: data,
      PORT: "0",
      INTERNAL_PORT: "0",
      BCRYPT_COST: "4",
    },
    stdio: ["ignore", "pipe", "pipe"],
    // A process group of its own, as a terminal creates.
    detached: true,
  });
  let text = "";
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  }
  return { at, npm, said: () => text };
}

interface Running {
  readonly pid: number;
  readonly command: string;
}

const read = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
};

/** All processes started on the data folder, whatever their current parent. */
const findRunning = (): Running[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => read(pid, "environ").split("\0").includes(`DATA_FOLDER=${data}`))
    .map((pid) => ({ pid, command: read(pid, "cmdline").replaceAll("\0", " ") }));

const runs = (part: string) => () => findRunning().some(({ command }) => command.includes(part));

/** The cluster is created next to its final place, where a killed start left one. */
const isMade = ({ at }: Started) => {
  const file = statSync(path.join(data, "db.new/PG_VERSION"), { throwIfNoEntry: false });
  return file !== undefined && file.mtimeMs >= at;
};

const pidOf = (program: RegExp): number =>
  findRunning().find(({ command }) => program.test(command))?.pid ?? 0;

const ways = {
  "SIGTERM to npm": ({ npm }: Started) => npm.kill("SIGTERM"),
  "SIGKILL to npm": ({ npm }: Started) => npm.kill("SIGKILL"),
  "SIGKILL to npm's shell": () => process.kill(pidOf(/^sh -c .*start\.ts/), "SIGKILL"),
  "SIGKILL to the starter": () => process.kill(pidOf(/^\S*node .*start\.ts/), "SIGKILL"),
  "a terminal that closes": ({ npm }: Started) => process.kill(-(npm.pid ?? 0), "SIGHUP"),
};

/** Each start continues from the remains of the previous one, so each also tests that a restart works. */
const deaths = [
  ["while PostgreSQL is created", "SIGKILL to the starter", "start", isMade],
  ["while PostgreSQL is created", "SIGTERM to npm", "start", isMade],
  ["while it migrates", "SIGKILL to npm", "start", runs("jobs/commands/migrate.ts")],
  ["when it is ready", "a terminal that closes", "start", undefined],
  ["when it is ready", "SIGKILL to the starter", "start", undefined],
  ["when it is ready", "SIGTERM to npm", "demo", undefined],
  ["when it is ready", "SIGKILL to npm's shell", "demo", undefined],
] as const;

// Only Linux shows the parents of processes.
const onLinux = process.platform === "linux" ? describe : describe.skip;

onLinux("a start whose first process ends leaves no process behind", () => {
  afterEach(() => {
    for (const { pid } of findRunning()) process.kill(pid, "SIGKILL");
  });

  it.each(deaths)(
    "no process is left if the first process ends %s, by %s: npm run %s",
    async (_when, way, script, isReached) => {
      const started = start(script);
      const isReady = () => started.said().includes("Guildhall is ready");
      // Stop waiting if the moment passed unseen.
      await until("it has come so far", () => isReached?.(started) || isReady());
      ways[way](started);
      const left = () => JSON.stringify(findRunning());
      await until(
        () => `nothing is left but ${left()}`,
        () => left() === "[]",
      );
      expect(findRunning()).toEqual([]);
    },
  );
});
