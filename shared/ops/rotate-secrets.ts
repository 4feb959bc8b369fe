import { QueryTypes, type Sequelize } from "sequelize";

import type { Config } from "../config/config.ts";
import { isStale, seal, type SecretsKeys, unseal, UnreadableSecret } from "../crypto/sealed.ts";
import { type SealedColumn, sealedColumns } from "./sealed-columns.ts";

/** What became of one column's secrets. */
export interface Rotation {
  readonly column: string;
  /** Encrypted under the first key now. */
  readonly rotated: number;
  /** Keys of rows no key opens; they are left as they are. */
  readonly unreadable: readonly number[];
}

/** Rows read at once. */
const batch = 200;

/**
 * Encrypts every secret under the first key, so that the others can be dropped. Safe while the
 * service runs, and safe to run again: a secret that is changed meanwhile is left alone, for it
 * was sealed under the first key already.
 */
export async function rotateSecrets(
  { SECRETS_KEYS: keys }: Pick<Config, "SECRETS_KEYS">,
  sequelize: Sequelize,
): Promise<Rotation[]> {
  const rotations: Rotation[] = [];
  for (const column of sealedColumns) rotations.push(await rotateColumn(column, keys, sequelize));
  return rotations;
}

async function rotateColumn(
  sealed: SealedColumn,
  keys: SecretsKeys,
  sequelize: Sequelize,
): Promise<Rotation> {
  const unreadable: number[] = [];
  let rotated = 0;
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const rows = await readBatch(sealed, after, sequelize);
    for (const row of rows.filter(({ text }) => isStale(text, keys))) {
      const renewed = renew(row, sealed, keys);
      if (renewed === undefined) unreadable.push(row.key);
      else rotated += await store({ ...row, renewed }, sealed, sequelize);
    }
    const last = rows.at(-1);
    if (!last || rows.length < batch) break;
    after = last.key;
  }
  return { column: `${sealed.table}.${sealed.column}`, rotated, unreadable };
}

interface SealedRow {
  readonly key: number;
  readonly text: string;
}

const readBatch = ({ table, column, key }: SealedColumn, after: number, sequelize: Sequelize) =>
  sequelize.query<SealedRow>(
    `select ${key} as key, ${column} as text from ${table}
     where ${column} is not null and ${key} > $1::bigint order by ${key} limit ${batch}`,
    { bind: [after], type: QueryTypes.SELECT },
  );

/** @returns undefined when no key opens it */
function renew({ key, text }: SealedRow, { place }: SealedColumn, keys: SecretsKeys) {
  try {
    return seal(unseal(text, place(key), keys), place(key), keys);
  } catch (error) {
    if (error instanceof UnreadableSecret) return undefined;
    throw error;
  }
}

/** Only what was read is replaced. @returns how many rows were: one or none */
async function store(
  { key, text, renewed }: SealedRow & { readonly renewed: string },
  { table, column, key: keyColumn }: SealedColumn,
  sequelize: Sequelize,
): Promise<number> {
  const stored = await sequelize.query(
    `update ${table} set ${column} = $1 where ${keyColumn} = $2 and ${column} = $3 returning 1`,
    { bind: [renewed, key, text], type: QueryTypes.SELECT },
  );
  return stored.length;
}
