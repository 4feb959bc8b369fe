import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

import { spawnScript } from "../../../shared/local/script.ts";
import { testEnvironment } from "../../support/server.ts";

/** One side behind HTTP, in a process of its own. */
export interface Served {
  readonly origin: string;
  stop(): Promise<void>;
}

/** Starts a side on the database and waits until it listens. @throws when it ends before */
export async function serve(side: "ours" | "floor", databaseUrl: string): Promise<Served> {
  const environment = {
    ...process.env,
    ...testEnvironment(databaseUrl),
    DATABASE_POOL: "10",
    RL_MARKET_MAX: "1000000",
  };
  const file = "test/bench/market/serve.ts";
  const child = spawnScript({ name: side, file, arguments: [side], environment });
  const port = await portOf(child, side);
  return { origin: `http://127.0.0.1:${port}`, stop: () => stop(child) };
}

async function portOf(child: ChildProcess, side: string): Promise<number> {
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
  child.stdout?.resume();
  const ended = once(child, "exit").then(() => {
    throw new Error(`${side} ended before it listened:\n${said}`);
  });
  const [port] = (await Promise.race([once(child, "message"), ended])) as [number];
  ended.catch(() => undefined);
  return port;
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
