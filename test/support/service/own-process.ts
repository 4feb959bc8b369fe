import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

import { type Script, spawnScript } from "../../../jobs/commands/launch/script.ts";

export interface OwnProcessOptions extends Script {
  /** A URL that answers with success once the program is ready. */
  readonly readyAt: string;
}

/** Enough for a busy machine. */
const readyWithinMs = 120_000;
const askEveryMs = 25;
/** The number of characters of its output kept for diagnosis. */
const keptText = 16_384;
const lastWords = 4_096;

/** A program of the service in its own process that tests can kill, pause and restart. */
export class ChildProgram {
  readonly name: string;
  readonly #options: OwnProcessOptions;
  #child: ChildProcess | undefined;
  #said = "";
  #deaths: string[] = [];

  constructor(options: OwnProcessOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** @throws if it does not run */
  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error(`${this.name} does not run`);
    return pid;
  }

  get runs(): boolean {
    return this.#child !== undefined;
  }

  /** The end of its output, over all starts. */
  get said(): string {
    return this.#said;
  }

  /** Its unexpected exits, each with the output before it. */
  get deaths(): readonly string[] {
    return this.#deaths;
  }

  /** Starts the program and waits until it is ready. @throws with its output if it exits first */
  async start(): Promise<void> {
    const child = spawnScript(this.#options);
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#said = (this.#said + text).slice(-keptText);
      });
    }
    child.once("exit", (code, signal) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#deaths.push(`${signal ?? `code ${code}`}: ${this.#said.slice(-lastWords)}`);
    });
    await this.#untilReady(child);
  }

  /** Kills the program without cleanup. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /**
   * Stops the program as a host does in a deploy.
   * @returns its exit code; null if a signal ended it or it did not run
   */
  stop(): Promise<number | null> {
    return this.#end("SIGTERM");
  }

  /** Pauses the program, with its connections open, until `resume`. */
  pause(): void {
    process.kill(this.pid, "SIGSTOP");
  }

  resume(): void {
    process.kill(this.pid, "SIGCONT");
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child) return null;
    this.#child = undefined;
    const ended = once(child, "exit");
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  }

  async #untilReady(child: ChildProcess): Promise<void> {
    const giveUpAt = performance.now() + readyWithinMs;
    while (!(await isReady(this.#options.readyAt))) {
      if (this.#child !== child) throw new Error(`${this.name} ended at once:\n${this.#said}`);
      if (performance.now() > giveUpAt) {
        throw new Error(`${this.name} does not get ready:\n${this.#said}`);
      }
      await sleep(askEveryMs);
    }
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
