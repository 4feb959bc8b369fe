import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

import type { Logger } from "../log.ts";

/** What a process has started and must end, last started first. */
export interface Stoppable {
  readonly name: string;
  stop(): Promise<unknown>;
}

/**
 * Every process stops within this; what still runs then is cut off. One machine that runs them all
 * stops its database after them, within 15 s together.
 */
export const stopWithinMs = 11_000;

/** A terminal's Ctrl-C comes twice, from the terminal and from npm or a runner of Procfiles. */
export const meantAgainAfterMs = 1_000;

/**
 * Ends a process in order on SIGTERM, SIGINT, SIGHUP, the end of the npm that
 * started it, or an error nobody caught.
 * A later signal ends it at once.
 */
export function stopOnSignals(log: Logger, parts: () => readonly Stoppable[]): void {
  let stoppingSince: number | undefined;
  let part: string | undefined;
  const note = ({ name }: Stoppable): void => void (part = name);
  const stop = (reason: string, exitCode: number): void => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > meantAgainAfterMs) process.exit(exitCode || 1);
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
  whenStarterIsGone(() => stop("npm is gone", 0));
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

/** What npm runs a script with, by the names that systems give it. */
const shells = /^-?(?:\S*\/)?(?:sh|ash|bash|dash|ksh|zsh|busybox)$/;

/** How npm calls itself, whatever it runs. */
const npms = /^npm\b/;

/** How far above a process its npm may be: a shell, the runner of a Procfile and another shell lie between. */
const mostSteps = 4;

/**
 * Calls back once the npm that started this process is gone, or the runner that its npx started.
 * npm hands a signal on to the shell below it at most, which dies of it without a word, and being
 * killed it hands on nothing; a runner of Procfiles does not notice. Who was not started by npm is
 * left alone: whatever started it may go on purpose.
 */
export function whenStarterIsGone(end: () => void): void {
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

/** Who is behind the shell that npm or a runner runs scripts with, and the npm above. */
function startersOf(shell: number): number[] {
  const { parent, command } = describe(shell);
  const isBehind = shells.test(command) && parent > 1;
  return [...(isBehind ? [parent] : []), ...npmsAbove(shell)];
}

/** The nearest npm at or above a process; none where it is not near. */
function npmsAbove(pid: number, steps = mostSteps): number[] {
  if (pid <= 1 || steps < 0) return [];
  const { parent, command } = describe(pid);
  return npms.test(command) ? [pid] : npmsAbove(parent, steps - 1);
}

function describe(pid: number): { parent: number; command: string } {
  const [, parent, command = ""] = /^\s*(\d+)\s+(.*)$/.exec(readStatus(pid)) ?? [];
  return { parent: Number(parent), command };
}

/** Parent and name; small images have no `ps`. */
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
