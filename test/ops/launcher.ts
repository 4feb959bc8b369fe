import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

import { waitUntil } from "../support/clock/wait.ts";
import { inherited } from "../support/service/inherited.ts";

const start = path.join(import.meta.dirname, "../../jobs/commands/start.ts");

export interface LauncherOptions {
  readonly folder: string;
  readonly arguments?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
}

/** Runs `npm start` in a process of its own, with a new data folder and free ports. */
export class Launcher {
  readonly #child: ChildProcess;
  #said = "";

  constructor({ folder, arguments: given = [], environment }: LauncherOptions) {
    this.#child = spawn(process.execPath, [start, ...given], {
      // Use a folder outside the project, in which there is no `.env` file.
      cwd: folder,
      env: {
        PATH: process.env["PATH"],
        DATA_FOLDER: path.join(folder, "data"),
        PORT: "0",
        INTERNAL_PORT: "0",
        BCRYPT_COST: "4",
        ...inherited,
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => (this.#said += text));
    }
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** The output so far. */
  get said(): string {
    return this.#said;
  }

  async ready(): Promise<void> {
    const isOver = () => this.#said.includes("Guildhall is ready") || this.#hasEnded;
    await waitUntil("Guildhall is ready", isOver);
    if (this.#hasEnded) throw new Error(`it ended:\n${this.#said}`);
  }

  /** Returns the text after a label in the summary that a start prints. */
  shown(label: string): string {
    const line = this.#said.split("\n").find((each) => each.trimStart().startsWith(`${label}  `));
    if (!line) throw new Error(`it printed no ${label}:\n${this.#said}`);
    return line.trim().slice(label.length).trim();
  }

  /** Sends a signal and waits for the end. @returns the exit code */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    return this.ended();
  }

  async ended(): Promise<number | null> {
    if (!this.#hasEnded) await once(this.#child, "close");
    return this.#child.exitCode;
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}

export interface Descendant {
  readonly pid: number;
  readonly command: string;
}

/** Returns all descendants of a process. */
export function descendantsOf(ancestor: number): Descendant[] {
  const listed = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  const all = listed.split("\n").map((line) => {
    const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return { pid: Number(pid), parent: Number(parent), command };
  });
  const below = (parent: number): Descendant[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  return below(ancestor);
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
