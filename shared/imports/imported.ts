import { QueryTypes, type Sequelize } from "sequelize";

import type { Sql } from "../db/sql.ts";
import type { ImportName } from "./kinds.ts";

/** What an import last applied, and of which source. */
export interface Imported<Loaded> {
  readonly fingerprint: string;
  readonly loaded: Loaded;
  readonly importedAt: Date;
}

export async function readImported<Loaded>(
  kind: ImportName,
  sequelize: Sequelize,
): Promise<Imported<Loaded> | null> {
  const [row] = await sequelize.query<Imported<Loaded>>(
    `select fingerprint, loaded, imported_at as "importedAt" from imported_sources where kind = $1`,
    { bind: [kind], type: QueryTypes.SELECT },
  );
  return row ?? null;
}

/** Belongs into the transaction that applies it. */
export async function writeImported(
  kind: ImportName,
  { fingerprint, loaded }: Omit<Imported<object>, "importedAt">,
  sql: Sql,
): Promise<void> {
  await sql.query(
    `insert into imported_sources (kind, fingerprint, loaded) values ($1, $2, $3)
     on conflict (kind) do update set fingerprint = excluded.fingerprint,
       loaded = excluded.loaded, imported_at = clock_timestamp()`,
    [kind, fingerprint, JSON.stringify(loaded)],
  );
}
