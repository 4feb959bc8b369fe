import { randomBytes } from "node:crypto";

import { callbackUrlOf } from "../../../shared/auth/providers/provider-client.ts";
import { roles } from "../../../shared/platform/access/roles.ts";
import { freePort, pageHost } from "../launch/ports.ts";
import type { Script } from "../launch/script.ts";
import type { ServerScript } from "../launch/server-process.ts";
import { flags, journalOf } from "./demo-flags.ts";
import { type DemoSurvivalServer, describeDemoSurvival } from "./demo-survival.ts";
import type { Plan } from "./plan.ts";

/** An account of the demo, as its content was found or made. */
export interface DemoAccount {
  readonly id: number;
  readonly username: string;
  readonly role: string;
  /** False when somebody gave it another password since. */
  readonly hasDemoPassword: boolean;
}

/** What the demo's parts prove themselves to the site by; made anew with each start. */
export interface DemoSecrets {
  readonly providerSecret: string;
}

/** How the demo's simulated shard is reached. */
export interface DemoShard {
  readonly port: number;
  readonly token: string;
}

/** How the demo's sign-in provider is known to the site. */
export const demoProvider = { id: "harbour", name: "Harbour ID", clientId: "guildhall" } as const;

/** Lively enough to watch, slow enough to read. */
const eventsPerSecond = 4;
/** The same world each time. */
const seed = 7;
/** A player's account in that world, which the demo's player is linked to. */
const playerAccount = "maple";
/** Another one, which is banned: its owner appeals. */
export const bannedAccount = "O'Neil_77";

const publicUrl = ({ environment }: Plan): string => String(environment["PUBLIC_BASE_URL"]);

/** Where it is found, by browsers and by the site; identities there carry the address. */
const providerUrl = ({ ports }: Plan): string => `http://localhost:${ports.provider}`;

/** The certified provider of OpenID Connect, where the demo's accounts can sign in. */
export const demoProviderScript = (plan: Plan, { providerSecret }: DemoSecrets): ServerScript => ({
  name: "provider",
  file: "test/provider/main.ts",
  arguments: flags({
    port: plan.ports.provider,
    callback: callbackUrlOf(demoProvider.id, { PUBLIC_BASE_URL: publicUrl(plan) }),
    "client-secret": providerSecret,
    accounts: [plan.config.ADMIN_USERNAME, ...roles.filter((role) => role !== "admin")].join(","),
  }),
  environment: plan.environment,
  readyAt: `${providerUrl(plan)}/.well-known/openid-configuration`,
});

export const newDemoSecrets = (): DemoSecrets => ({
  providerSecret: randomBytes(24).toString("base64url"),
});

export const chooseDemoShard = async (): Promise<DemoShard> => ({
  port: await freePort(),
  token: randomBytes(24).toString("base64url"),
});

/** What the demo's content is linked to. */
export interface DemoGround extends DemoShard, DemoSecrets {
  readonly survival: readonly DemoSurvivalServer[];
}

/** Makes accounts and content, and links the site to the game servers; writes the accounts as JSON. */
export function demoContentScript(
  plan: Plan,
  databaseUrl: string,
  { port, token, providerSecret, survival }: DemoGround,
): Script {
  return {
    name: "demo content",
    file: "test/demo/fill.ts",
    environment: {
      ...plan.environment,
      DATABASE_URL: databaseUrl,
      DEMO_SHARD_TOKEN: token,
      DEMO_PROVIDER_SECRET: providerSecret,
      DEMO_SURVIVAL_SERVERS: describeDemoSurvival(survival),
    },
    arguments: flags({
      "base-url": `http://127.0.0.1:${port}`,
      "ws-url": `ws://127.0.0.1:${port}/v1/stream`,
      issuer: providerUrl(plan),
    }),
  };
}

/** The simulated shard, where the demo's player is linked to a game account. */
export function demoShardScript(
  plan: Plan,
  { port, token }: DemoShard,
  accounts: readonly DemoAccount[],
): ServerScript {
  const journal = journalOf(plan, "simulator");
  const player = accounts.find(({ role }) => role === "player");
  const settings = { port, seed, rate: eventsPerSecond, token, "buffer-file": journal };
  const linked = player ? [playerAccount, bannedAccount] : [];
  return {
    name: "shard",
    file: "test/simulator/main.ts",
    arguments: [
      ...flags(settings),
      ...linked.flatMap((account) => flags({ link: `${account}=${player?.id}` })),
    ],
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

/** A push relay with one device, and an address for a webhook: it shows what arrives, on ports of its own. */
export const demoReceiverScript = ({ ports, environment, folder }: Plan): ServerScript => ({
  name: "receiver",
  file: "test/demo/receive.ts",
  arguments: flags({ host: pageHost, port: ports.pushes, relay: ports.relay, folder }),
  environment,
  readyAt: `http://${pageHost}:${ports.pushes}/`,
});
