import type { Sequelize } from "sequelize";

import { messageOf } from "../errors/errors.ts";
import { firstRow, rows } from "./rows.ts";

/** Releases of PostgreSQL before this one lack what the service relies on. */
export const oldestMajor = 16;

export interface ServerVersion {
  /** As the server writes it, such as `15.18 (Debian 15.18-0+deb12u1)`. */
  readonly version: string;
  readonly isSupported: boolean;
}

export async function readServerVersion(sequelize: Sequelize): Promise<ServerVersion> {
  const row = await firstRow<{ version: string; number: number }>(
    sequelize,
    `select current_setting('server_version') as version,
            current_setting('server_version_num')::int as number`,
  );
  const { version = "", number = 0 } = row ?? {};
  return { version, isSupported: Math.floor(number / 10_000) >= oldestMajor };
}

/** The database cannot be used by this service, whatever is in it. */
export class UnsupportedServer extends Error {
  constructor(version: string) {
    super(`the database is PostgreSQL ${version}: upgrade it to ${oldestMajor} or newer`);
    this.name = "UnsupportedServer";
  }
}

/** @throws {UnsupportedServer} naming the version that is needed */
export async function requireServerVersion(sequelize: Sequelize): Promise<void> {
  const { version, isSupported } = await readServerVersion(sequelize);
  if (!isSupported) throw new UnsupportedServer(version);
}

/** The host lacks what the searches need, or forbids making it. */
class TrigramsRefused extends Error {
  constructor(cause: unknown) {
    super(
      `the searches need PostgreSQL's extension pg_trgm, and this database refuses it ` +
        `(${messageOf(cause)}): have its administrator run "create extension pg_trgm" in it, or ` +
        "install postgresql-contrib where the server lacks it",
      { cause },
    );
    this.name = "TrigramsRefused";
  }
}

/**
 * Makes the extension that the migrations rely on, before any of them runs. The owner of a database
 * may do so by themselves: PostgreSQL trusts the extension.
 * @throws {TrigramsRefused} with what to do
 */
export async function ensureTrigrams(sequelize: Sequelize): Promise<void> {
  try {
    await rows(sequelize, "create extension if not exists pg_trgm");
  } catch (error) {
    throw new TrigramsRefused(error);
  }
}
