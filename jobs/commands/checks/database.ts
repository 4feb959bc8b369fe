import type { Sequelize } from "sequelize";

import { minMajorVersion, readServerVersion } from "../../../shared/platform/db/server.ts";
import { faultResult, type DoctorResult, errorReasonOf, okResult } from "./check.ts";

export async function checkDatabase(sequelize: Sequelize): Promise<DoctorResult> {
  try {
    const { version, isSupported } = await readServerVersion(sequelize);
    if (isSupported) return okResult(`PostgreSQL ${version}`);
    return faultResult(
      `is PostgreSQL ${version}, which is too old`,
      `upgrade it to ${minMajorVersion} or newer`,
    );
  } catch (error) {
    return faultResult(`cannot be used: ${errorReasonOf(error)}`, fixFor(error));
  }
}

/** Instructions by the error code of PostgreSQL or the network. */
const fixes: Readonly<Record<string, string>> = {
  ECONNREFUSED: "start PostgreSQL, or correct host and port in DATABASE_URL",
  ENOTFOUND: "correct the host in DATABASE_URL",
  EAI_AGAIN: "the host in DATABASE_URL cannot be resolved now: try again, or correct it",
  "28P01": "correct user and password in DATABASE_URL",
  "28000": "allow this host in pg_hba.conf, or add ?sslmode=require to DATABASE_URL",
  "3D000": "create the database that DATABASE_URL names, or correct its name",
  "53300": "the server has no free connection: lower DATABASE_POOL or raise max_connections",
};

function fixFor(error: unknown): string {
  const { original } = error as { original?: { code?: string; errors?: { code?: string }[] } };
  const code = original?.code ?? original?.errors?.[0]?.code ?? "";
  return fixes[code] ?? "correct DATABASE_URL";
}
