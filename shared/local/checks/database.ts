import { QueryTypes, type Sequelize } from "sequelize";

import { fault, type Finding, messageOf, ok } from "./check.ts";

const oldestMajor = 16;

/** Whether the database answers and is new enough. */
export async function checkDatabase(sequelize: Sequelize): Promise<Finding> {
  try {
    const [row] = await sequelize.query<{ version: string; number: number }>(
      `select current_setting('server_version') as version,
              current_setting('server_version_num')::int as number`,
      { type: QueryTypes.SELECT },
    );
    const { version = "", number = 0 } = row ?? {};
    if (Math.floor(number / 10_000) >= oldestMajor) return ok(`PostgreSQL ${version}`);
    return fault(
      `is PostgreSQL ${version}, which is too old`,
      `upgrade it to ${oldestMajor} or newer`,
    );
  } catch (error) {
    return fault(`cannot be used: ${messageOf(error)}`, fixFor(error));
  }
}

/** By the code PostgreSQL or the network gave. */
const fixes: Readonly<Record<string, string>> = {
  ECONNREFUSED: "start PostgreSQL, or correct host and port in DATABASE_URL",
  ENOTFOUND: "correct the host in DATABASE_URL",
  EAI_AGAIN: "the host in DATABASE_URL cannot be looked up now: try again, or correct it",
  "28P01": "correct user and password in DATABASE_URL",
  "28000": "let this host in (pg_hba.conf), or add ?sslmode=require to DATABASE_URL",
  "3D000": "create the database DATABASE_URL names, or correct its name",
  "53300": "the server has no connection left: lower DATABASE_POOL or raise max_connections",
};

function fixFor(error: unknown): string {
  const { original } = error as { original?: { code?: string; errors?: { code?: string }[] } };
  const code = original?.code ?? original?.errors?.[0]?.code ?? "";
  return fixes[code] ?? "correct DATABASE_URL";
}
