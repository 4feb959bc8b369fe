import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";

import { Client } from "pg";

import { firstRow } from "../../../shared/platform/db/rows.ts";
import { LaunchError } from "../launch/launch-error.ts";
import { readSecretFile } from "../launch/secret-file.ts";
import { claimFolder } from "./claim.ts";
import { clusterUser } from "./cluster.ts";
import { type LocalPostgres, startLocalPostgres } from "./postgres.ts";
import { stopStalePostmaster, findPostmaster } from "./postmaster.ts";

export interface OwnDatabase {
  readonly url: string;
  readonly port: number;
  /** Resolves when the server ends. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface OwnDatabaseOptions {
  readonly folder: string;
  /** The port of the previous run, so that clients can reconnect. */
  readonly port?: number | undefined;
  readonly onLog?: ((text: string) => void) | undefined;
}

/** Starts the PostgreSQL of a data folder and creates its database. Call `claimFolder` first. */
export async function startOwnDatabase(options: OwnDatabaseOptions): Promise<OwnDatabase> {
  const folder = clusterFolder(options.folder);
  await stopStalePostmaster(folder);
  const postgres = await startLocalPostgres({
    folder,
    password: passwordOf(options.folder),
    ...(options.port !== undefined && { port: options.port }),
    ...(options.onLog && { onLog: options.onLog }),
  });
  try {
    await ensureDatabase(postgres);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return postgres;
}

/** Returns the URL of the data folder's database if its PostgreSQL is running. */
export function findOwnDatabase(folder: string): string | undefined {
  const postmaster = findPostmaster(clusterFolder(folder));
  if (!postmaster || !existsSync(passwordFile(folder))) return undefined;
  return `postgres://${clusterUser}:${passwordOf(folder)}@127.0.0.1:${postmaster.port}/${clusterUser}`;
}

/** Runs `work` on the data folder's database. If its PostgreSQL is not running, it is started for the work only. */
export async function withOwnDatabase<T>(
  folder: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const running = findOwnDatabase(folder);
  if (running !== undefined) return work(running);
  const release = await claimFolder(folder);
  try {
    const database = await startOwnDatabase({ folder });
    return await work(database.url).finally(() => database.stop());
  } finally {
    await release();
  }
}

const clusterFolder = (folder: string): string => path.join(folder, "db");
const passwordFile = (folder: string): string => path.join(folder, "database-password");

/** Returns the database password, which is needed because anybody on the machine can connect to loopback. */
const passwordOf = (folder: string): string =>
  readSecretFile(passwordFile(folder), () => randomBytes(24).toString("base64url"));

async function ensureDatabase(postgres: LocalPostgres): Promise<void> {
  const client = new Client(postgres.urlOf("postgres"));
  await connect(client);
  try {
    const found = await firstRow(client, "select from pg_database where datname = $1", [
      clusterUser,
    ]);
    if (!found) await client.query(`create database ${clusterUser}`);
  } finally {
    await client.end();
  }
}

async function connect(client: Client): Promise<void> {
  try {
    await client.connect();
  } catch (cause) {
    const { code } = cause as { code?: string };
    if (code !== "28P01") throw cause;
    throw new LaunchError(
      "The local database refuses the password in the file database-password next to it: bring " +
        "back the original file",
      { cause },
    );
  }
}
