import path from "node:path";

import { allowedOrigins, type Config, loadConfig } from "../../../shared/platform/config/config.ts";
import { dataFolder } from "../../../shared/platform/config/local-keys.ts";
import { type ProcessKind, processKinds } from "../../../shared/platform/job-records/processes.ts";
import { LaunchFault } from "../launch/launch-fault.ts";
import { freePort, pageHost, requireFree, requirePort, type WantedPort } from "../launch/ports.ts";
import { demoPasswords } from "./demo-passwords.ts";
import { demoReceiverEnvironment } from "./demo-receiver.ts";

export interface LaunchOptions {
  /** Adds the simulated shard, accounts and a page to look at. */
  readonly demo: boolean;
  /** Shows all the processes log, not only their warnings. */
  readonly verbose: boolean;
}

/** What one machine runs, decided and checked before anything of it is started. */
export interface Plan {
  readonly demo: boolean;
  readonly config: Config;
  /** Where the machine keeps what it made for itself. */
  readonly folder: string;
  /** The database that was given; its own is started when there is none. */
  readonly databaseUrl: string | undefined;
  readonly ports: Ports;
  /** What every process is started with; the database's URL comes when it is known. */
  readonly environment: NodeJS.ProcessEnv;
}

export interface Ports {
  readonly web: number;
  readonly internal: Readonly<Record<ProcessKind, number>>;
  /** The demo's page. */
  readonly page: number;
  /** Where the demo shows the push messages that its relay got, and the relay itself. */
  readonly pushes: number;
  readonly relay: number;
  /** The demo's sign-in provider. */
  readonly provider: number;
}

/** 3080 beside 3000, and what follows it. */
const pageAbove = 80;

/** @throws {LaunchFault} or {ConfigError} when something must be set right first */
export async function makePlan(
  options: LaunchOptions,
  environment: NodeJS.ProcessEnv,
): Promise<Plan> {
  const databaseUrl = environment["DATABASE_URL"];
  // Before the configuration: production wants keys that nobody needs for the demo.
  if (options.demo && environment["NODE_ENV"] === "production") {
    throw new LaunchFault("The demo is not for production: unset NODE_ENV, or use npm start");
  }
  const config = loadConfig({ DATABASE_URL: "postgres://not-started-yet", ...environment });
  const ports = await choosePorts(config);
  // Before addresses are made of them.
  for (const wanted of wantedPorts({ config, ports, demo: options.demo })) requirePort(wanted);
  const folder = dataFolder(environment);
  // The demo's page hands sign-in on to the API: browsers meet the site there, as behind a proxy.
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
      // Each process starts in half the time and holds some 25 MB less.
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

/** Ports that are set to 0 are chosen here, once for all processes. */
async function choosePorts({ PORT, INTERNAL_PORT }: Config): Promise<Ports> {
  return {
    web: await above(PORT, 0),
    internal: {
      web: await above(INTERNAL_PORT, 0),
      ingest: await above(INTERNAL_PORT, 1),
      worker: await above(INTERNAL_PORT, 2),
    },
    page: await above(PORT, pageAbove),
    pushes: await above(PORT, pageAbove + 1),
    relay: await above(PORT, pageAbove + 2),
    provider: await above(PORT, pageAbove + 3),
  };
}

const above = async (port: number, by: number): Promise<number> =>
  port === 0 ? freePort() : port + by;

/** @throws {LaunchFault} naming the first port that is taken, and its variable */
export async function requireFreePorts(plan: Plan): Promise<void> {
  for (const wanted of wantedPorts(plan)) await requireFree(wanted);
}

function wantedPorts({
  config,
  ports,
  demo,
}: Pick<Plan, "config" | "ports" | "demo">): WantedPort[] {
  const internal = processKinds.map((kind, offset) => ({
    port: ports.internal[kind],
    host: config.INTERNAL_HOST,
    variable: offset === 0 ? "INTERNAL_PORT" : `INTERNAL_PORT (${kind} is ${offset} above it)`,
  }));
  const ofDemo = [ports.page, ports.pushes, ports.relay, ports.provider].map((port, offset) => ({
    port,
    host: pageHost,
    variable: `PORT (the demo has a port ${pageAbove + offset} above it)`,
  }));
  const web = { port: ports.web, host: config.HOST, variable: "PORT" };
  return [web, ...internal, ...(demo ? ofDemo : [])];
}

/** The site's own origins, and those of the demo's page and of the API itself. */
function originsOfDemo(config: Config, { page, web }: Ports): string {
  const hosts = ["localhost", pageHost];
  const local = hosts.flatMap((host) => [`http://${host}:${page}`, `http://${host}:${web}`]);
  return [...new Set([...allowedOrigins(config), ...local])].join(",");
}
