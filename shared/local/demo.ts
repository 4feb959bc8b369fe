import { randomBytes } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import path from "node:path";

import type { Plan } from "./plan.ts";
import { freePort, pageHost } from "./ports.ts";
import type { Script } from "./script.ts";
import type { ServerScript } from "./server-process.ts";

/** An account of the demo, as its content was found or made. */
export interface DemoAccount {
  readonly id: number;
  readonly username: string;
  readonly role: string;
  /** False when somebody gave it another password since. */
  readonly hasDemoPassword: boolean;
}

/** How the demo's simulated shard is reached. */
export interface DemoShard {
  readonly port: number;
  readonly token: string;
}

/** Lively enough to watch, slow enough to read. */
const eventsPerSecond = 4;
/** The same world each time. */
const seed = 7;
/** A player's account in that world, which the demo's player is linked to. */
const playerAccount = "maple";
/** The shard reads all it kept when it starts; beyond this it begins anew. */
const keptBytes = 16 * 1024 * 1024;

export const chooseDemoShard = async (): Promise<DemoShard> => ({
  port: await freePort(),
  token: randomBytes(24).toString("base64url"),
});

/** Makes accounts and content, and links the site to the shard; writes the accounts as JSON. */
export function demoContentScript(plan: Plan, databaseUrl: string, shard: DemoShard): Script {
  const { port, token } = shard;
  return {
    name: "demo content",
    file: "test/demo/fill.ts",
    environment: { ...plan.environment, DATABASE_URL: databaseUrl, DEMO_SHARD_TOKEN: token },
    arguments: flags({
      "base-url": `http://127.0.0.1:${port}`,
      "ws-url": `ws://127.0.0.1:${port}/v1/stream`,
    }),
  };
}

/** The simulated shard, where the demo's player is linked to a game account. */
export function demoShardScript(
  plan: Plan,
  { port, token }: DemoShard,
  accounts: readonly DemoAccount[],
): ServerScript {
  const journal = path.join(plan.folder, "simulator.json");
  const size = statSync(journal, { throwIfNoEntry: false })?.size ?? 0;
  if (size > keptBytes) rmSync(journal);
  const player = accounts.find(({ role }) => role === "player");
  const settings = { port, seed, rate: eventsPerSecond, token, "buffer-file": journal };
  return {
    name: "shard",
    file: "test/simulator/main.ts",
    arguments: flags({ ...settings, ...(player && { link: `${playerAccount}=${player.id}` }) }),
    environment: plan.environment,
    readyAt: `http://127.0.0.1:${port}/sim/status`,
  };
}

/**
 * Imports what the shard knows of its world where that was never done, by the jobs of the worker;
 * writes what it imported as JSON.
 */
export const demoWorldScript = ({ environment }: Plan, databaseUrl: string): Script => ({
  name: "world",
  file: "test/demo/import.ts",
  // Its output is read, and the worker tells what becomes of its jobs.
  environment: { ...environment, DATABASE_URL: databaseUrl, LOG_LEVEL: "silent" },
});

/** The page that shows live events in a browser, on a port of its own. */
export const demoPageScript = ({ ports, environment }: Plan): ServerScript => ({
  name: "page",
  file: "test/demo/serve-page.ts",
  arguments: flags({
    host: pageHost,
    port: ports.page,
    api: `http://localhost:${ports.web}`,
  }),
  environment,
  readyAt: `http://${pageHost}:${ports.page}/`,
});

/** In one word each: a value may begin with a dash, as one random token in 64 does. */
const flags = (settings: Readonly<Record<string, string | number>>): string[] =>
  Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
