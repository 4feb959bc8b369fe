import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

import { projectFolder } from "../../../jobs/commands/launch/script.ts";
import { waitUntil } from "../../support/clock/wait.ts";

const plugin = ["plugins/rust/Guildhall.cs", "test/plugins/rust/declarations/*.cs"];

interface Compilation {
  readonly status: number | null;
  readonly output: string;
}

/** Compiles the plugin with the C# compiler of Mono, together with declarations of the game. */
export function compilePlugin(
  out: string,
  {
    symbols = [],
    sources = [],
  }: { readonly symbols?: readonly string[]; readonly sources?: readonly string[] } = {},
): Compilation {
  if (spawnSync("mcs", ["--version"]).status !== 0) {
    throw new Error(
      "this test needs the C# compiler of Mono and its runtime: apt-get install mono-mcs mono-runtime",
    );
  }
  const files = [...plugin, ...sources].flatMap((pattern) =>
    globSync(pattern, { cwd: projectFolder }),
  );
  const words = [
    out.endsWith(".exe") ? "-target:exe" : "-target:library",
    "-langversion:7",
    "-warn:4",
    "-warnaserror",
    // Ignore the warning about unassigned fields, because the declarations assign few of them.
    "-nowarn:649",
    ...symbols.map((symbol) => `-define:${symbol}`),
    `-out:${out}`,
    ...files,
  ];
  const { status, stdout, stderr } = spawnSync("mcs", words, {
    cwd: projectFolder,
    encoding: "utf8",
  });
  return { status, output: (stdout + stderr).trim() };
}

export const newFolder = (): string => mkdtempSync(path.join(tmpdir(), "guildhall-rust-"));

/** Compiles the simulated game. @returns the path of the program */
export function compileGame(folder: string): string {
  const program = path.join(folder, "game.exe");
  const { status, output } = compilePlugin(program, { sources: ["test/plugins/rust/game/*.cs"] });
  if (status !== 0) throw new Error(output);
  return program;
}

interface GameOptions {
  readonly program: string;
  /** The folder of the server's files, which survives a restart of the game. */
  readonly folder: string;
  /** The creation time of the world, in epoch milliseconds. */
  readonly saveId: number;
  /** Length of a minute in the plugin's pauses, in milliseconds. */
  readonly minuteMs?: number;
}

/** A simulated game server with the plugin, in its own process. */
export class RustGame {
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly lines: string[] = [];

  constructor({ program, folder, saveId, minuteMs = 60_000 }: GameOptions) {
    const words = [program, folder, String(saveId), String(minuteMs)];
    this.#process = spawn("mono", words, { stdio: ["pipe", "pipe", "inherit"] });
    this.#ended = once(this.#process, "exit");
    const { stdout } = this.#process;
    if (stdout) createInterface(stdout).on("line", (line) => this.lines.push(line));
  }

  /** Sends a command to the game, and waits until the game has executed it. */
  async play(...words: readonly string[]): Promise<void> {
    const before = this.lines.length;
    this.#process.stdin?.write(`${words.join("\t")}\n`);
    const verb = words[0] ?? "";
    const isDone = (line: string) => line === `played ${verb}` || line.startsWith(`error ${verb}`);
    await waitUntil(`the game plays ${verb}`, () => this.lines.slice(before).some(isDone));
    const fault = this.lines.slice(before).find((line) => line.startsWith("error "));
    if (fault !== undefined) throw new Error(fault);
  }

  /** Returns the lines that contain the text. */
  with(text: string): string[] {
    return this.lines.filter((line) => line.includes(text));
  }

  /** Waits for a line that contains the text. @returns the newest one */
  async says(text: string): Promise<string> {
    await waitUntil(
      () => `the game says "${text}"; it said:\n${this.lines.slice(-20).join("\n")}`,
      () => this.with(text).length > 0,
    );
    return this.with(text).at(-1) ?? "";
  }

  /** Kills the process, as a crash does. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#ended;
  }
}

/** Forwards connections to a site. While it is closed, the site cannot be reached. */
export class SiteForwarder {
  readonly #sitePort: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  constructor(siteUrl: string) {
    this.#sitePort = Number(new URL(siteUrl).port);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Accepts connections, at the same port as before. */
  async open(): Promise<void> {
    const server = createServer((near) => {
      const far = connect(this.#sitePort, "127.0.0.1");
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on("error", () => socket.destroy());
        socket.on("close", () => this.#sockets.delete(socket));
      }
      near.pipe(far).pipe(near);
    });
    server.listen(this.#port, "127.0.0.1");
    await once(server, "listening");
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Ends all connections, and refuses new ones. */
  async close(): Promise<void> {
    if (!this.#server) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    this.#server = undefined;
  }
}

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true });
