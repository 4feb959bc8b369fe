import type { Sequelize } from "sequelize";

import { firstRow } from "./rows.ts";

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
