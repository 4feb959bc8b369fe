import type { Sequelize } from "sequelize";

import type { Config } from "../config/config.ts";
import { isStale, seal, type SecretsKeys, unseal, UnreadableSecret } from "../crypto/sealed.ts";
import { countChanged, rows } from "../db/rows.ts";
import { type SealedColumn, type SealedKey, sealedColumns } from "./sealed-columns.ts";

/** What became of one column's secrets. */
export interface Rotation {
  readonly column: string;
  /** Encrypted under the first key now. */
  readonly rotated: number;
  /** Keys of rows no key opens; they are left as they are. */
  readonly unreadable: readonly SealedKey[];
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
  const unreadable: SealedKey[] = [];
  let rotated = 0;
  for (let after: SealedKey = beforeAll[sealed.keyType]; ;) {
    const read = await readBatch(sealed, after, sequelize);
    for (const row of read.filter(({ text }) => isStale(text, keys))) {
      const renewed = renew(row, sealed, keys);
      if (renewed === undefined) unreadable.push(row.key);
      else rotated += await store({ ...row, renewed }, sealed, sequelize);
    }
    const last = read.at(-1);
    if (!last || read.length < batch) break;
    after = last.key;
  }
  return { column: `${sealed.table}.${sealed.column}`, rotated, unreadable };
}

/** Less than any key. */
const beforeAll = { bigint: Number.MIN_SAFE_INTEGER, text: "" } as const;

interface SealedRow {
  readonly key: SealedKey;
  readonly text: string;
}

const readBatch = (
  { table, column, key, keyType }: SealedColumn,
  after: SealedKey,
  sequelize: Sequelize,
) =>
  rows<SealedRow>(
    sequelize,
    `select ${key} as key, ${column} as text from ${table}
     where ${column} is not null and ${key} > $1::${keyType} order by ${key} limit ${batch}`,
    [after],
  );

/** @returns undefined when no key opens it */
function renew({ key, text }: SealedRow, { sealContext }: SealedColumn, keys: SecretsKeys) {
  try {
    return seal(unseal(text, sealContext(key), keys), sealContext(key), keys);
  } catch (error) {
    if (error instanceof UnreadableSecret) return undefined;
    throw error;
  }
}

/** Only what was read is replaced. @returns how many rows were: one or none */
const store = (
  { key, text, renewed }: SealedRow & { readonly renewed: string },
  { table, column, key: keyColumn }: SealedColumn,
  sequelize: Sequelize,
): Promise<number> =>
  countChanged(
    sequelize,
    `update ${table} set ${column} = $1 where ${keyColumn} = $2 and ${column} = $3`,
    [renewed, key, text],
  );
