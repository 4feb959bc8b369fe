import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

import { type Script, spawnScript } from "../../../jobs/commands/launch/script.ts";

export interface OwnProcessOptions extends Script {
  /** A URL that answers with a status of success when the program is ready. */
  readonly readyAt: string;
}

/** The time until a program must be ready. It is long enough for a busy machine. */
const readyWithinMs = 120_000;
const askEveryMs = 25;
/** The number of characters of the output that are kept to explain failures. */
const keptText = 16_384;
const lastWords = 4_096;

/**
 * A program of the service that runs in a process of its own. Tests can kill, pause and restart it.
 */
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

  /** @throws if the program does not run */
  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error(`${this.name} does not run`);
    return pid;
  }

  get runs(): boolean {
    return this.#child !== undefined;
  }

  /** The end of the output of all starts. */
  get said(): string {
    return this.#said;
  }

  /** The exits that no test caused, each with the output before it. */
  get deaths(): readonly string[] {
    return this.#deaths;
  }

  /**
   * Starts the program and waits until it is ready.
   * @throws if it exits before; the error contains its output
   */
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

  /** Kills the program. It cannot clean up. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /**
   * Stops the program, as a deployment does.
   * @returns its exit code, or null if a signal ended it or it did not run
   */
  stop(): Promise<number | null> {
    return this.#end("SIGTERM");
  }

  /** Pauses the program until `resume`. Its connections stay open. */
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
