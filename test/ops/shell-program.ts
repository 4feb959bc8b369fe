import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

import { projectFolder } from "../../jobs/commands/launch/script.ts";
import { inherited } from "../support/service/inherited.ts";

export interface ShellRun {
  readonly given: readonly string[];
  /** A working directory outside the project, in which there is no `.env` file. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The text on standard input. */
  readonly input?: string;
}

export interface ProgramResult {
  readonly code: number;
  readonly said: string;
  readonly complained: string;
}

/** Runs a command of an operator and waits for its end. */
export async function runProgram(file: string, run: ShellRun): Promise<ProgramResult> {
  const { given, folder, environment, input = "" } = run;
  const child = spawn(process.execPath, [path.join(projectFolder, file), ...given], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...inherited, ...environment },
  });
  let [said, complained] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complained += text));
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number];
  return { code, said, complained };
}
