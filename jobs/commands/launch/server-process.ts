import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

import { stopWithinMs } from "../../../shared/platform/process/process.ts";
import { LaunchError } from "./launch-error.ts";
import { printLines } from "./log-lines.ts";
import { type Script, spawnScript } from "./script.ts";
import type { RunningService } from "./supervisor.ts";

/** A server program that answers an HTTP request when it is ready. */
export interface ServerScript extends Script {
  /** The URL that answers with success once the program is ready. */
  readonly readyAt: string;
}

const askEveryMs = 40;
/**
 * How long a program may take to become ready: long, because all start together and the machine may be slow. An
 * exit is noticed at once.
 */
const readyWithinMs = 120_000;
/** A process is killed if it has not stopped half a second after its own timeout. */
const killAfterMs = stopWithinMs + 500;

/** Starts the program and waits until it is ready. @throws {LaunchError} if it ends or the signal aborts first */
export async function startServerScript(
  script: ServerScript,
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<RunningService> {
  const child = spawnScript(script);
  printLines(child, script.name, print);
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, killedBy) => resolve(killedBy ?? `code ${code}`));
  });
  const stop = () => stopChild(child, ended);
  try {
    await untilReady(script, ended, signal);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ended, stop };
}

async function untilReady(
  { name, readyAt }: ServerScript,
  ended: Promise<string>,
  signal: AbortSignal,
): Promise<void> {
  let ending: string | undefined;
  void ended.then((how) => (ending = how));
  const giveUpAt = performance.now() + readyWithinMs;
  for (let lacks = "no answer"; ;) {
    const answer = await checkReady(readyAt);
    if (signal.aborted) throw new LaunchError(`${name} was stopped`);
    if (ending !== undefined) throw new LaunchError(`${name} ended (${ending}) while starting`);
    if (answer === "ready") return;
    lacks = answer ?? lacks;
    if (performance.now() > giveUpAt) {
      throw new LaunchError(`${name} did not become ready: ${lacks}`);
    }
    await sleep(askEveryMs);
  }
}

/** Returns `ready`, or the reason why the program is not ready; undefined if nothing answers. */
async function checkReady(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    const body = await response.text();
    return response.ok ? "ready" : body.slice(0, 500);
  } catch {
    return undefined;
  }
}

async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill("SIGTERM");
  const cutOff = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  await ended;
  clearTimeout(cutOff);
}
