import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { Client } from "pg";

import { LaunchError } from "../launch/launch-error.ts";
import { findBinaries } from "./cluster.ts";
import { startLocalPostgres } from "./postgres.ts";

/** Runs work on a temporary database. It is in an embedded PostgreSQL or, if there is none, on the given server. */
export async function withTemporaryDatabase(
  given: string | undefined,
  work: (url: string) => Promise<void>,
): Promise<void> {
  if (await hasOwnPostgres()) return withOwnServer(work);
  if (given === undefined) {
    throw new LaunchError("There is no PostgreSQL for the check: set DATABASE_URL");
  }
  return withNewDatabase(given, work);
}

const hasOwnPostgres = (): Promise<boolean> =>
  findBinaries().then(
    () => true,
    () => false,
  );

async function withOwnServer(work: (url: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "guildhall-throwaway-"));
  try {
    const server = await startLocalPostgres({ folder: path.join(folder, "db"), throwaway: true });
    await withNewDatabase(server.urlOf("postgres"), work).finally(() => server.stop());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs work on a new database, and drops it afterwards. @param url of a server whose user may create databases */
export async function withNewDatabase(
  url: string,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const name = `guildhall_throwaway_${randomBytes(6).toString("hex")}`;
  await run(url, `create database ${name}`);
  try {
    await work(Object.assign(new URL(url), { pathname: `/${name}` }).href);
  } finally {
    await run(url, `drop database ${name} with (force)`);
  }
}

async function run(url: string, text: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
