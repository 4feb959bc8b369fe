import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";

import { projectFolder } from "../../../jobs/commands/launch/script.ts";
import { waitUntil } from "../clock/wait.ts";

const file = path.join(projectFolder, "test/demo/commands.md");
const readFile = (): string => readFileSync(file, "utf8");

const blocksIn = (text: string): string[] =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, commands = ""]) => commands);

/** Returns the first block of commands that contains this text. */
export function readCommands(sought: string): string {
  const commands = blocksIn(readFile()).find((text) => text.includes(sought));
  if (commands === undefined) throw new Error(`${file} does not say ${sought}`);
  return commands;
}

/** Returns the blocks of commands in one section. */
export function readSection(heading: string): string[] {
  const sections = readFile().split(/^#+ /m);
  const section = sections.find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`${file} has no section ${heading}`);
  return blocksIn(section);
}

/** By default curl exits with 0 for any HTTP status. Here, an error status ends the shell. */
const strict = `
set -e
: > refused
curl() { command curl -sS --fail-with-body "$@" || { echo "curl $*" >> refused; return 22; }; }
`;

const typed = "typed-until-here";

/** A shell that runs commands one after another. It keeps its variables. */
export class Terminal {
  readonly #shell: ChildProcess;
  readonly #folder: string;
  readonly #change: (commands: string) => string;
  #said = "";
  #complaint = "";

  /**
   * @param folder the working directory
   * @param change replaces `…` and the addresses of the demo by the values of the test
   */
  constructor(folder: string, change: (commands: string) => string) {
    this.#folder = folder;
    this.#change = change;
    this.#shell = spawn("sh", { cwd: folder, env: { PATH: process.env["PATH"] } });
    this.#shell.stdout?.setEncoding("utf8").on("data", (text: string) => (this.#said += text));
    this.#shell.stderr?.setEncoding("utf8").on("data", (text: string) => (this.#complaint += text));
    this.#shell.stdin?.write(strict);
  }

  /** Types commands. @returns their output @throws if a command fails */
  async type(commands: string): Promise<string> {
    this.#said = "";
    const end = `\ntest ! -s refused || exit 22\necho ${typed}\n`;
    this.#shell.stdin?.write(this.#change(commands) + end);
    await waitUntil("what was typed is done", () => this.#said.includes(typed) || this.#isOver);
    if (this.#isOver) {
      const refused = readFileSync(path.join(this.#folder, "refused"), "utf8");
      throw new Error(`${refused}${this.#complaint}${this.#said}`);
    }
    return this.#said.replace(`${typed}\n`, "");
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    const ended = once(this.#shell, "exit");
    this.#shell.kill();
    await ended;
  }

  get #isOver(): boolean {
    return this.#shell.exitCode !== null || this.#shell.signalCode !== null;
  }
}
