import { existsSync } from "node:fs";
import path from "node:path";

import { allowedOrigins, type Config, loadConfig, withoutEmpty } from "../config/config.ts";
import { dataFolder } from "../config/local-keys.ts";
import { type ProcessKind, processKinds } from "../ops/processes.ts";
import { demoPasswords } from "./demo-passwords.ts";
import { LaunchFault } from "./launch-fault.ts";
import { freePort, pageHost, requireFree } from "./ports.ts";

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
}

/** What is set, and what `.env` holds beside it. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return withoutEmpty(process.env);
}

/** 3080 beside 3000. */
const pageAbove = 80;

/** @throws {LaunchFault} or {ConfigError} when something must be set right first */
export async function makePlan(
  options: LaunchOptions,
  environment: NodeJS.ProcessEnv,
): Promise<Plan> {
  const databaseUrl = environment["DATABASE_URL"];
  const config = loadConfig({ DATABASE_URL: "postgres://not-started-yet", ...environment });
  if (options.demo && config.NODE_ENV === "production") {
    throw new LaunchFault("The demo is not for production: unset NODE_ENV, or use npm start");
  }
  const ports = await choosePorts(config);
  const folder = dataFolder(environment);
  const { PUBLIC_BASE_URL = `http://localhost:${ports.web}` } = environment;
  const origins = originsBesidePage({ ...config, PUBLIC_BASE_URL }, ports);
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
      DATA_FOLDER: folder,
      PORT: String(ports.web),
      PUBLIC_BASE_URL,
      ...(options.demo && { ...demoPasswords(config, folder), ALLOWED_ORIGINS: origins }),
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
  };
}

const above = async (port: number, by: number): Promise<number> =>
  port === 0 ? freePort() : port + by;

/** @throws {LaunchFault} naming the first port that is taken, and its variable */
export async function requireFreePorts({ config, ports, demo }: Plan): Promise<void> {
  await requireFree({ port: ports.web, host: config.HOST, variable: "PORT" });
  for (const [place, kind] of processKinds.entries()) {
    const variable = place === 0 ? "INTERNAL_PORT" : `INTERNAL_PORT (${kind} is ${place} above it)`;
    await requireFree({ port: ports.internal[kind], host: config.INTERNAL_HOST, variable });
  }
  const variable = `PORT (the demo's page is ${pageAbove} above it)`;
  if (demo) await requireFree({ port: ports.page, host: pageHost, variable });
}

/** Its own origins, and those of the demo's page. */
function originsBesidePage(config: Config, { page }: Ports): string {
  const pages = ["localhost", pageHost].map((host) => `http://${host}:${page}`);
  return [...allowedOrigins(config), ...pages].join(",");
}
