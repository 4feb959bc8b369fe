import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

import { spawnScript } from "../../../jobs/commands/launch/script.ts";
import type { BenchCallResult, BenchCall } from "./answering.ts";

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A program of a benchmark that runs in its own process, so that it does not slow the measured
 * process.
 */
export class BenchProgram {
  readonly #file: string;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #said = "";
  #asked = 0;
  #isStopping = false;

  private constructor(file: string, child: ChildProcess) {
    this.#file = file;
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#said = (this.#said + text).slice(-4_000);
      });
    }
    child.on("message", (answer) => this.#settle(answer as BenchCallResult));
    child.once("exit", () => this.#giveUp());
  }

  /** @param file a script in `test/bench/`, whose last statement calls `answerCalls` */
  static async start(file: string, environment: NodeJS.ProcessEnv = {}): Promise<BenchProgram> {
    const script = { name: file, file: `test/bench/${file}`, environment };
    const remote = new BenchProgram(file, spawnScript(script));
    await remote.call("ready");
    return remote;
  }

  /** Calls a function of the process. @throws the error that the function has thrown */
  call<T>(what: string, given: object = {}): Promise<T> {
    const id = ++this.#asked;
    const question: BenchCall = { id, what, given };
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send(question);
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }

  #settle({ id, result, error }: BenchCallResult): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result as never);
    else waiting?.reject(new Error(`${this.#file}: ${error}`));
  }

  /** Called when the process has ended. Throws an uncaught error, so that the callers do not wait forever. */
  #giveUp(): void {
    if (!this.#isStopping) throw new Error(`${this.#file} has ended:\n${this.#said}`);
    for (const { reject } of this.#waiting.values()) reject(new Error(`${this.#file} was stopped`));
    this.#waiting.clear();
  }
}
