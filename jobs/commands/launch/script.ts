import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { LaunchError } from "./launch-error.ts";
import { formatLogLine } from "./log-lines.ts";

/** One of this project's programs, to be run in its own process. */
export interface Script {
  /** The name that each line of the program's output begins with. */
  readonly name: string;
  /** The path of the program, relative to the project's folder. */
  readonly file: string;
  readonly arguments?: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

export const projectFolder = path.join(import.meta.dirname, "../../..");

/**
 * Limits V8's heap space for new objects, as the Procfile does. By default, this space can grow to 32 MB or more
 * on large machines, and start-up alone fills it.
 */
export const nodeFlags = ["--max-semi-space-size=8"] as const;

const endWithStarter = pathToFileURL(path.join(import.meta.dirname, "end-with-starter.ts")).href;

/** Starts the program. It ends together with this process, even if this process is killed. */
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
    // The program has its own process group, so Ctrl-C reaches only this process, which stops all programs in
    // order.
    detached: true,
  });
}

/**
 * Runs the program to its end and returns its standard output.
 * @throws {LaunchError} with its standard error if it fails
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
