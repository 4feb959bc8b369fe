import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { LaunchError } from "./launch-error.ts";
import { formatLogLine } from "./log-lines.ts";

/** One of this project's programs, to be run in its own process. */
export interface Script {
  /** The prefix of its output lines. */
  readonly name: string;
  /** Path from the project's folder. */
  readonly file: string;
  readonly arguments?: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

export const projectFolder = path.join(import.meta.dirname, "../../..");

/**
 * The Procfile has the same flags. By default, V8 lets the space for new objects grow with the machine
 * to 32 MB and more, which start-up alone fills.
 */
export const nodeFlags = ["--max-semi-space-size=8"] as const;

const endWithStarter = pathToFileURL(path.join(import.meta.dirname, "end-with-starter.ts")).href;

/** Starts the program, which ends with this process, even if this one is killed. */
export function spawnScript(script: Script): ChildProcess {
  const { file, arguments: given = [], environment } = script;
  const program = [
    ...nodeFlags,
    "--import",
    endWithStarter,
    path.join(projectFolder, file),
    ...given,
  ];
  return spawn(process.execPath, program, {
    cwd: projectFolder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // The program has its own process group, so Ctrl-C reaches only the starter, which stops all in
    // order.
    detached: true,
  });
}

/**
 * Runs the program to its end and returns its standard output.
 * @throws {LaunchFault} with its standard error if it fails
 */
export async function runScript(script: Script, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const child = spawnScript(script);
  const end = () => child.kill("SIGTERM");
  signal.addEventListener("abort", end, { once: true });
  let output = "";
  let complaint = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      signal.removeEventListener("abort", end);
      if (code === 0) resolve(output);
      else reject(new LaunchError(`${script.name} failed:\n${formatOutput(complaint || output)}`));
    });
  });
}

const formatOutput = (written: string): string =>
  written.trim().split("\n").map(formatLogLine).join("\n");
