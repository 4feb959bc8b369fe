import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, afterEach, describe, expect, it } from "vitest";

import { projectFolder } from "../../jobs/commands/launch/script.ts";
import { waitUntil } from "../support/clock/wait.ts";

const folder = mkdtempSync(path.join(tmpdir(), "guildhall-ending-"));
const data = path.join(folder, "data");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Started {
  readonly at: number;
  readonly npm: ChildProcess;
  readonly said: () => string;
}

/** Runs an npm script as a user does. npm starts a shell, and the shell starts the program. */
function start(script: "start" | "demo"): Started {
  const at = Date.now();
  const npm = spawn("npm", ["run", script], {
    cwd: projectFolder,
    env: {
      ...process.env,
      // Empty values, so that an `.env` file of the project does not set these variables.
      DATABASE_URL: "",
      DATABASE_LISTEN_URL: "",
      SMTP_URL: "",
      DATA_FOLDER: data,
      PORT: "0",
      INTERNAL_PORT: "0",
      BCRYPT_COST: "4",
    },
    stdio: ["ignore", "pipe", "pipe"],
    // Use a process group of its own, as a terminal does.
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

/** Returns all processes with this data folder, even if their parent has ended. */
const findRunning = (): Running[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => read(pid, "environ").split("\0").includes(`DATA_FOLDER=${data}`))
    .map((pid) => ({ pid, command: read(pid, "cmdline").replaceAll("\0", " ") }));

const runs = (part: string) => () => findRunning().some(({ command }) => command.includes(part));

/**
 * True once this start has run initdb. The files are in `db.new` until the cluster is moved, and an earlier start
 * that was killed may have left files there.
 */
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

/**
 * CATALOGUE of starts: when and how each one ends. A start uses the data folder of the previous start, so each
 * also tests a restart.
 */
const deaths = [
  ["while PostgreSQL is created", "SIGKILL to the starter", "start", isMade],
  ["while PostgreSQL is created", "SIGTERM to npm", "start", isMade],
  ["while it migrates", "SIGKILL to npm", "start", runs("jobs/commands/migrate.ts")],
  ["when it is ready", "a terminal that closes", "start", undefined],
  ["when it is ready", "SIGKILL to the starter", "start", undefined],
  ["when it is ready", "SIGTERM to npm", "demo", undefined],
  ["when it is ready", "SIGKILL to npm's shell", "demo", undefined],
] as const;

// Only on Linux does a process show its environment in /proc.
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
      // Stop waiting when the site is ready: the awaited moment may lie between two checks.
      await waitUntil("it has come so far", () => isReached?.(started) || isReady());
      ways[way](started);
      const left = () => JSON.stringify(findRunning());
      await waitUntil(
        () => `nothing is left but ${left()}`,
        () => left() === "[]",
      );
      expect(findRunning()).toEqual([]);
    },
  );
});
