import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

import type { Logger } from "../log.ts";

/** A component of a process. At the end of the process, its components stop in reverse order of their starts. */
export interface Stoppable {
  readonly name: string;
  stop(): Promise<unknown>;
}

/** Milliseconds for an orderly stop. `npm start` then stops its database; both together take at most 15 s. */
export const stopWithinMs = 11_000;

/** A second signal within this time is ignored: Ctrl-C may arrive twice, through npm or a Procfile runner. */
export const signalDebounceMs = 1_000;

/**
 * Stops the process in order: on a signal, when the npm that started it ends, or after an uncaught error. A later
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
      log.error({ part }, "the process did not stop in time and ends now");
      process.exit(1);
    }, stopWithinMs).unref();
    void stopAll(log, parts(), note).then(() => process.exit(exitCode));
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => stop(signal, 0));
  }
  onParentExit(() => stop("the npm command that started the process ended", 0));
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
      log.error({ err: error, part: part.name }, "a part of the process could not be stopped");
    }
  }
  log.info("stopped");
}

const askEveryMs = 500;

/** Shells with which npm runs scripts. */
const shells = /^-?(?:\S*\/)?(?:sh|ash|bash|dash|ksh|zsh|busybox)$/;

/** npm's process title, which ends with the script's name. */
const npmTitle = /^npm\b/;

/**
 * Maximum number of parent processes between this process and npm: a shell, a Procfile runner and another shell
 * are possible.
 */
const maxSteps = 4;

/**
 * Calls `end` once the npm that started this process, or the runner that npx started, has ended. npm passes a
 * signal at most to its shell, which does not pass it on, and a killed npm passes on nothing. A process that npm
 * did not start may outlive its starter.
 */
export function onParentExit(end: () => void): void {
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

/** Returns the parent and the name of a process. Uses `/proc`, because small images have no `ps`. */
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
