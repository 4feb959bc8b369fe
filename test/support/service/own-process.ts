import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

import { type Script, spawnScript } from "../../../jobs/commands/launch/script.ts";

export interface OwnProcessOptions extends Script {
  /** URL that answers with success once the program is ready. */
  readonly readyAt: string;
}

/** For a machine that has much else to do. */
const readyWithinMs = 120_000;
const askEveryMs = 25;
/** What is kept of what it wrote, for whoever must find out what went wrong. */
const keptText = 16_384;
const lastWords = 4_096;

/** A program of ours as a process of its own, which may be killed, paused and started again. */
export class OwnProcess {
  readonly name: string;
  readonly #options: OwnProcessOptions;
  #child: ChildProcess | undefined;
  #said = "";
  #deaths: string[] = [];

  constructor(options: OwnProcessOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** @throws when it does not run */
  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error(`${this.name} does not run`);
    return pid;
  }

  get runs(): boolean {
    return this.#child !== undefined;
  }

  /** The end of what it wrote, over all its lives. */
  get said(): string {
    return this.#said;
  }

  /** How it ended, each time that nobody had asked it to, and what it wrote before. */
  get deaths(): readonly string[] {
    return this.#deaths;
  }

  /** Starts it and waits until it is ready. @throws with what it wrote when it ends before */
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

  /** Ends it without a word: it cleans nothing up. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /**
   * Ends it as a host does that deploys anew.
   * @returns its exit code; null when a signal ended it, or it did not run
   */
  stop(): Promise<number | null> {
    return this.#end("SIGTERM");
  }

  /** Stands still, with all its connections, until it is resumed. */
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
