import type { Sequelize } from "sequelize";

import { messageOf } from "../errors/errors.ts";
import { firstRow, rows } from "./rows.ts";

export const minMajorVersion = 16;

export interface ServerVersion {
  /** The version as the server reports it, such as `15.18 (Debian 15.18-0+deb12u1)`. */
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
  return { version, isSupported: Math.floor(number / 10_000) >= minMajorVersion };
}

export class UnsupportedServerError extends Error {
  constructor(version: string) {
    super(`the database is PostgreSQL ${version}: upgrade it to ${minMajorVersion} or newer`);
    this.name = "UnsupportedServerError";
  }
}

/** @throws {UnsupportedServerError} if the server is too old; the message names the required version */
export async function requireServerVersion(sequelize: Sequelize): Promise<void> {
  const { version, isSupported } = await readServerVersion(sequelize);
  if (!isSupported) throw new UnsupportedServerError(version);
}

class TrigramsUnavailable extends Error {
  constructor(cause: unknown) {
    super(
      `the searches need PostgreSQL's extension pg_trgm, and this database refuses it ` +
        `(${messageOf(cause)}): have its administrator run "create extension pg_trgm" in it, or ` +
        "install postgresql-contrib where the server lacks it",
      { cause },
    );
    this.name = "TrigramsUnavailable";
  }
}

/**
 * Creates the extension for searches. It is a trusted extension of PostgreSQL, so the owner of a database may
 * create it.
 * @throws {TrigramsUnavailable} with instructions
 */
export async function ensureTrigramExtension(sequelize: Sequelize): Promise<void> {
  try {
    await rows(sequelize, "create extension if not exists pg_trgm");
  } catch (error) {
    throw new TrigramsUnavailable(error);
  }
}
