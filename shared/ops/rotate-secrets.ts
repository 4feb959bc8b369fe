import { type Model, type ModelStatic, Op } from "sequelize";

import type { Models } from "../../models/index.ts";
import type { Config } from "../platform/config/config.ts";
import {
  isSealedWithOldKey,
  sealText,
  type SecretsKeys,
  unsealText,
  UnreadableSecretError,
} from "../platform/crypto/sealed.ts";
import {
  findTableAndColumn,
  type SealedColumn,
  type SealedRowKey,
  sealedColumns,
} from "./sealed-columns.ts";

export interface SecretRotation {
  readonly column: string;
  /** Secrets that are newly encrypted under the first key. */
  readonly rotated: number;
  /** Keys of rows that no key decrypts. These rows stay unchanged. */
  readonly unreadable: readonly SealedRowKey[];
}

const batch = 200;

/**
 * Encrypts every secret under the first key. It can run repeatedly and while the service runs: a secret that is
 * changed meanwhile is already encrypted under the first key, and is not overwritten.
 */
export async function rotateSecrets(
  { SECRETS_KEYS: keys }: Pick<Config, "SECRETS_KEYS">,
  models: Models,
): Promise<SecretRotation[]> {
  const rotations: SecretRotation[] = [];
  for (const column of sealedColumns) rotations.push(await rotateColumn(column, keys, models));
  return rotations;
}

async function rotateColumn(
  sealed: SealedColumn,
  keys: SecretsKeys,
  models: Models,
): Promise<SecretRotation> {
  const model: ModelStatic<Model> = models[sealed.model];
  const unreadable: SealedRowKey[] = [];
  let rotated = 0;
  for (let after = sealed.beforeAll; ;) {
    const read = await readBatch(sealed, after, model);
    for (const row of read.filter(({ text }) => isSealedWithOldKey(text, keys))) {
      const renewed = renew(row, sealed, keys);
      if (renewed === undefined) unreadable.push(row.key);
      else rotated += await store({ ...row, renewed }, sealed, model);
    }
    const last = read.at(-1);
    if (!last || read.length < batch) break;
    after = last.key;
  }
  const { table, column } = findTableAndColumn(sealed, models);
  return { column: `${table}.${column}`, rotated, unreadable };
}

interface SealedRow {
  readonly key: SealedRowKey;
  readonly text: string;
}

async function readBatch(
  { column, key }: SealedColumn,
  after: SealedRowKey,
  model: ModelStatic<Model>,
): Promise<SealedRow[]> {
  const found = await model.findAll({
    attributes: [key, column],
    where: { [column]: { [Op.ne]: null }, [key]: { [Op.gt]: after } },
    order: [key],
    limit: batch,
  });
  return found.map((row) => ({
    key: row.get(key) as SealedRowKey,
    text: row.get(column) as string,
  }));
}

function renew({ key, text }: SealedRow, { sealContext }: SealedColumn, keys: SecretsKeys) {
  try {
    return sealText(unsealText(text, sealContext(key), keys), sealContext(key), keys);
  } catch (error) {
    if (error instanceof UnreadableSecretError) return undefined;
    throw error;
  }
}

/** Replaces only the value that was read. Returns the number of rows: 0 or 1. */
async function store(
  { key, text, renewed }: SealedRow & { readonly renewed: string },
  { column, key: keyColumn }: SealedColumn,
  model: ModelStatic<Model>,
): Promise<number> {
  const [replaced] = await model.update(
    { [column]: renewed },
    { where: { [keyColumn]: key, [column]: text } },
  );
  return replaced;
}

/** Counts passwords with an older pepper, which must stay until their users rehash them by signing in. */
export const countOldPeppers = (
  { PASSWORD_PEPPERS }: Pick<Config, "PASSWORD_PEPPERS">,
  models: Models,
): Promise<number> => {
  const current = [...PASSWORD_PEPPERS.keys()].slice(0, 1);
  return models.User.count({ where: { pepperId: { [Op.ne]: null, [Op.notIn]: current } } });
};
