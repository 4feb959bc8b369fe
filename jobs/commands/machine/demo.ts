import { randomBytes } from "node:crypto";

import { callbackUrlOf } from "../../../shared/auth/providers/provider-client.ts";
import { roles } from "../../../shared/platform/access/roles.ts";
import { findFreePort, demoPageHost } from "../launch/ports.ts";
import type { Script } from "../launch/script.ts";
import type { ServerScript } from "../launch/server-process.ts";
import { buildFlags, prepareSimulatorJournal } from "./demo-flags.ts";
import { type DemoSurvivalServer, describeDemoSurvival } from "./demo-survival.ts";
import type { LaunchPlan } from "./plan.ts";

export interface DemoAccount {
  readonly id: number;
  readonly username: string;
  readonly role: string;
  /** False if the password of the account was changed since the demo set it. */
  readonly hasDemoPassword: boolean;
}

/** Secrets that the programs of the demo share with the site. They are new at each start. */
export interface DemoSecrets {
  readonly providerSecret: string;
}

export interface DemoShard {
  readonly port: number;
  readonly token: string;
}

export const demoProvider = { id: "harbour", name: "Harbour ID", clientId: "guildhall" } as const;

const eventsPerSecond = 4;
/** A fixed seed gives the same world each time. */
const seed = 7;
/** The game account that is linked to the demo's player. */
const playerAccount = "maple";
/** The banned game account; its owner has opened an appeal. */
export const bannedDemoAccount = "O'Neil_77";

const publicUrl = ({ environment }: LaunchPlan): string => String(environment["PUBLIC_BASE_URL"]);

/** The provider's URL, for browsers and for the site. It must not change, because stored identities contain it. */
const providerUrl = ({ ports }: LaunchPlan): string => `http://localhost:${ports.provider}`;

/** The sign-in provider of the demo: a certified OpenID Connect server where the demo's accounts can sign in. */
export const demoProviderScript = (
  plan: LaunchPlan,
  { providerSecret }: DemoSecrets,
): ServerScript => ({
  name: "provider",
  file: "test/provider/main.ts",
  arguments: buildFlags({
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
  port: await findFreePort(),
  token: randomBytes(24).toString("base64url"),
});

export interface DemoTargets extends DemoShard, DemoSecrets {
  readonly survival: readonly DemoSurvivalServer[];
}

/** Creates accounts and content, and links the site to the game servers. It prints the accounts as JSON. */
export function demoContentScript(
  plan: LaunchPlan,
  databaseUrl: string,
  { port, token, providerSecret, survival }: DemoTargets,
): Script {
  return {
    name: "demo content",
    file: "test/demo/fill.ts",
    environment: {
      ...plan.environment,
      DATABASE_URL: databaseUrl,
      DEMO_SHARD_TOKEN: token,
      DEMO_PROVIDER_SECRET: providerSecret,
      DEMO_SURVIVAL_SERVERS: describeDemoSurvival(plan, survival),
    },
    arguments: buildFlags({
      "base-url": `http://127.0.0.1:${port}`,
      "ws-url": `ws://127.0.0.1:${port}/v1/stream`,
      issuer: providerUrl(plan),
    }),
  };
}

/** The simulated shard, where the demo's player is linked to a game account. */
export function demoShardScript(
  plan: LaunchPlan,
  { port, token }: DemoShard,
  accounts: readonly DemoAccount[],
): ServerScript {
  const journal = prepareSimulatorJournal(plan, "simulator");
  const player = accounts.find(({ role }) => role === "player");
  const settings = { port, seed, rate: eventsPerSecond, token, "buffer-file": journal };
  const linked = player ? [playerAccount, bannedDemoAccount] : [];
  return {
    name: "shard",
    file: "test/simulator/main.ts",
    arguments: [
      ...buildFlags(settings),
      ...linked.flatMap((account) => buildFlags({ link: `${account}=${player?.id}` })),
    ],
    environment: plan.environment,
    readyAt: `http://127.0.0.1:${port}/sim/status`,
  };
}

/**
 * Requests the imports of the shard's world that were not done yet, and prints their names as JSON. A worker runs
 * them.
 */
export const buildWorldImportScript = (
  { environment }: LaunchPlan,
  databaseUrl: string,
): Script => ({
  name: "world",
  file: "test/demo/import.ts",
  // The program must print only JSON, so it logs nothing.
  environment: { ...environment, DATABASE_URL: databaseUrl, LOG_LEVEL: "silent" },
});

export const demoPageScript = ({ ports, environment }: LaunchPlan): ServerScript => ({
  name: "page",
  file: "test/demo/serve-page.ts",
  arguments: buildFlags({
    host: demoPageHost,
    port: ports.page,
    api: `http://localhost:${ports.web}`,
  }),
  environment,
  readyAt: `http://${demoPageHost}:${ports.page}/`,
});

/** A push relay with one device, and a webhook receiver. Each shows its messages on a page of its own port. */
export const demoReceiverScript = ({ ports, environment, folder }: LaunchPlan): ServerScript => ({
  name: "receiver",
  file: "test/demo/receive.ts",
  arguments: buildFlags({ host: demoPageHost, port: ports.pushes, relay: ports.relay, folder }),
  environment,
  readyAt: `http://${demoPageHost}:${ports.pushes}/`,
});
