import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const askEveryMs = 500;

/** What npm runs a script with, by the names that systems give it. */
const shells = /^-?(?:\S*\/)?(?:sh|ash|bash|dash|ksh|zsh|busybox)$/;

/**
 * Calls back once the npm that started this process is gone, or the runner that its npx started.
 * npm hands a signal on to the shell between the two at most, which dies of it without a word, and
 * being killed it hands on nothing. Who was not started by npm is left alone: whatever started it
 * may go on purpose.
 */
export function whenStarterIsGone(end: () => void): void {
  if (process.env["npm_lifecycle_event"] === undefined || process.platform === "win32") return;
  const parent = process.ppid;
  const npm = startOf(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || isAlive(npm))) return;
    clearInterval(timer);
    end();
  }, askEveryMs);
  timer.unref();
}

/** The npm behind the shell it runs scripts with; undefined where that shell made way for us. */
function startOf(shell: number): number | undefined {
  const { parent, command } = describe(shell);
  return shells.test(command) && parent > 1 ? parent : undefined;
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
