import path from "node:path";

import { allowedOrigins, type Config, loadConfig } from "../../../shared/platform/config/config.ts";
import { dataFolder } from "../../../shared/platform/config/local-keys.ts";
import { type ProcessKind, processKinds } from "../../../shared/platform/job-records/processes.ts";
import { LaunchError } from "../launch/launch-error.ts";
import {
  findFreePort,
  demoPageHost,
  requireFreePort,
  requireValidPort,
  type RequiredPort,
} from "../launch/ports.ts";
import { demoPasswords } from "./demo-passwords.ts";
import { demoReceiverEnvironment } from "./demo-receiver.ts";

export interface LaunchOptions {
  /** True to run the demo: a simulated shard, accounts and a page. */
  readonly demo: boolean;
  /** True to print all log lines of the processes and not only warnings. */
  readonly verbose: boolean;
}

/** The checked parameters of a start, before anything runs. */
export interface LaunchPlan {
  readonly demo: boolean;
  readonly config: Config;
  readonly folder: string;
  /** The URL of the given database. If undefined, the machine starts a database of its own. */
  readonly databaseUrl: string | undefined;
  readonly ports: LaunchPorts;
  /** The environment of every process, without the database's URL. */
  readonly environment: NodeJS.ProcessEnv;
}

export interface LaunchPorts {
  readonly web: number;
  readonly internal: Readonly<Record<ProcessKind, number>>;
  readonly page: number;
  /** The port of the page that shows received push messages. */
  readonly pushes: number;
  readonly relay: number;
  readonly provider: number;
}

/** The page's port is PORT plus this number, such as 3080. The demo's other ports follow the page's port. */
const pagePortOffset = 80;

/** @throws {LaunchError} or {ConfigError} if the operator must correct the environment */
export async function createLaunchPlan(
  options: LaunchOptions,
  environment: NodeJS.ProcessEnv,
): Promise<LaunchPlan> {
  const databaseUrl = environment["DATABASE_URL"];
  // Refuse a demo in production before the configuration is checked: production requires keys, a demo does not.
  if (options.demo && environment["NODE_ENV"] === "production") {
    throw new LaunchError("The demo is not for production: unset NODE_ENV, or use npm start");
  }
  const config = loadConfig({ DATABASE_URL: "postgres://not-started-yet", ...environment });
  const ports = await choosePorts(config);
  // Check the ports before URLs are built from them.
  for (const wanted of wantedPorts({ config, ports, demo: options.demo })) requireValidPort(wanted);
  const folder = dataFolder(environment);
  // In the demo, browsers open the server of the page, which forwards API requests like a proxy.
  const front = options.demo ? ports.page : ports.web;
  const { PUBLIC_BASE_URL = `http://localhost:${front}` } = environment;
  const origins = originsOfDemo({ ...config, PUBLIC_BASE_URL }, ports);
  return {
    demo: options.demo,
    config,
    folder,
    databaseUrl,
    ports,
    environment: {
      LOG_LEVEL: options.verbose ? "info" : "warn",
      // The compile cache halves the start time of each process and saves about 25 MB of its memory.
      NODE_COMPILE_CACHE: path.join(folder, "compile-cache"),
      ...environment,
      ...(options.demo && demoReceiverEnvironment(config, ports)),
      DATA_FOLDER: folder,
      PORT: String(ports.web),
      PUBLIC_BASE_URL,
      ...(options.demo && {
        ...demoPasswords(config, folder),
        ALLOWED_ORIGINS: origins,
        OIDC_ALLOW_INSECURE: "true",
      }),
    },
  };
}

/** Chooses ports for the variables that are 0. All processes get the same choice. */
async function choosePorts({ PORT, INTERNAL_PORT }: Config): Promise<LaunchPorts> {
  return {
    web: await portAbove(PORT, 0),
    internal: {
      web: await portAbove(INTERNAL_PORT, 0),
      ingest: await portAbove(INTERNAL_PORT, 1),
      worker: await portAbove(INTERNAL_PORT, 2),
    },
    page: await portAbove(PORT, pagePortOffset),
    pushes: await portAbove(PORT, pagePortOffset + 1),
    relay: await portAbove(PORT, pagePortOffset + 2),
    provider: await portAbove(PORT, pagePortOffset + 3),
  };
}

const portAbove = async (port: number, by: number): Promise<number> =>
  port === 0 ? findFreePort() : port + by;

/** @throws {LaunchError} with the first port that is in use, and its variable */
export async function requireFreePorts(plan: LaunchPlan): Promise<void> {
  for (const wanted of wantedPorts(plan)) await requireFreePort(wanted);
}

function wantedPorts({
  config,
  ports,
  demo,
}: Pick<LaunchPlan, "config" | "ports" | "demo">): RequiredPort[] {
  const internal = processKinds.map((kind, offset) => ({
    port: ports.internal[kind],
    host: config.INTERNAL_HOST,
    variable: offset === 0 ? "INTERNAL_PORT" : `INTERNAL_PORT (${kind} is ${offset} above it)`,
  }));
  const ofDemo = [ports.page, ports.pushes, ports.relay, ports.provider].map((port, offset) => ({
    port,
    host: demoPageHost,
    variable: `PORT (the demo has a port ${pagePortOffset + offset} above it)`,
  }));
  const web = { port: ports.web, host: config.HOST, variable: "PORT" };
  return [web, ...internal, ...(demo ? ofDemo : [])];
}

function originsOfDemo(config: Config, { page, web }: LaunchPorts): string {
  const hosts = ["localhost", demoPageHost];
  const local = hosts.flatMap((host) => [`http://${host}:${page}`, `http://${host}:${web}`]);
  return [...new Set([...allowedOrigins(config), ...local])].join(",");
}
