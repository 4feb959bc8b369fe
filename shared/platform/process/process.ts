import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

import type { Logger } from "../log.ts";

/** A part that a process must stop at its end, in reverse order of the starts. */
export interface Stoppable {
  readonly name: string;
  stop(): Promise<unknown>;
}

/** Timeout of an orderly stop. `npm start` then stops its database, and both must end within 15 s. */
export const stopWithinMs = 11_000;

/**
 * A terminal's Ctrl-C arrives twice, also through npm or a Procfile runner, so ignore a second one this
 * early.
 */
export const signalDebounceMs = 1_000;

/**
 * Stops the process in order on a signal, after the end of its npm, or after an uncaught error. A later
 * signal ends it at once.
 */
export function stopOnSignals(log: Logger, parts: () => readonly Stoppable[]): void {
  let stoppingSince: number | undefined;
  let part: string | undefined;
  const note = ({ name }: Stoppable): void => void (part = name);
  const stop = (reason: string, exitCode: number): void => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > signalDebounceMs) process.exit(exitCode || 1);
      return;
    }
    stoppingSince = performance.now();
    log.info({ reason }, "stopping");
    setTimeout(() => {
      log.error({ part }, "did not stop in time");
      process.exit(1);
    }, stopWithinMs).unref();
    void stopAll(log, parts(), note).then(() => process.exit(exitCode));
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => stop(signal, 0));
  }
  onStarterExit(() => stop("npm is gone", 0));
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "uncaught");
    stop("uncaught exception", 1);
  });
  process.on("unhandledRejection", (error) => {
    log.fatal({ err: error }, "unhandled rejection");
    stop("unhandled rejection", 1);
  });
}

async function stopAll(
  log: Logger,
  parts: readonly Stoppable[],
  note: (part: Stoppable) => void,
): Promise<void> {
  for (const part of parts.toReversed()) {
    note(part);
    try {
      await part.stop();
    } catch (error) {
      log.error({ err: error, part: part.name }, "stopping failed");
    }
  }
  log.info("stopped");
}

const askEveryMs = 500;

/** Shells that npm runs scripts with. */
const shells = /^-?(?:\S*\/)?(?:sh|ash|bash|dash|ksh|zsh|busybox)$/;

/** npm's process title, which ends with the script's name. */
const npmTitle = /^npm\b/;

/** Largest distance to the npm above: a shell, a Procfile runner and another shell can lie between. */
const maxSteps = 4;

/**
 * Calls back once the npm that started this process is gone, or the runner that npx started. npm passes
 * a signal at most to its shell, which does not pass it on, and a killed npm passes on nothing.
 * Processes that npm did not start may outlive their starter.
 */
export function onStarterExit(end: () => void): void {
  if (process.env["npm_lifecycle_event"] === undefined || process.platform === "win32") return;
  const parent = process.ppid;
  const starters = startersOf(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && starters.every(isAlive)) return;
    clearInterval(timer);
    end();
  }, askEveryMs);
  timer.unref();
}

function startersOf(shell: number): number[] {
  const { parent, command } = describe(shell);
  const isBehind = shells.test(command) && parent > 1;
  return [...(isBehind ? [parent] : []), ...npmsAbove(shell)];
}

function npmsAbove(pid: number, steps = maxSteps): number[] {
  if (pid <= 1 || steps < 0) return [];
  const { parent, command } = describe(pid);
  return npmTitle.test(command) ? [pid] : npmsAbove(parent, steps - 1);
}

function describe(pid: number): { parent: number; command: string } {
  const [, parent, command = ""] = /^\s*(\d+)\s+(.*)$/.exec(readStatus(pid)) ?? [];
  return { parent: Number(parent), command };
}

/** Returns parent and name of a process. Small container images have no `ps`. */
function readStatus(pid: number): string {
  try {
    if (!existsSync("/proc/self/stat")) {
      const format = ["-o", "ppid=,comm=", "-p", String(pid)];
      return execFileSync("ps", format, { encoding: "utf8", stdio: "pipe" });
    }
    return readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^\d+ \((.*)\) \S (\d+).*$/s, "$2 $1");
  } catch {
    return "";
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
