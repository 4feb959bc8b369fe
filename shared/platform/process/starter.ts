import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

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
