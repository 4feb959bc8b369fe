import { type Model, type ModelStatic, Op } from "sequelize";

import type { Models } from "../../models/index.ts";
import type { Config } from "../platform/config/config.ts";
import {
  isStale,
  seal,
  type SecretsKeys,
  unseal,
  UnreadableSecret,
} from "../platform/crypto/sealed.ts";
import { placeOf, type SealedColumn, type SealedKey, sealedColumns } from "./sealed-columns.ts";

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
  models: Models,
): Promise<Rotation[]> {
  const rotations: Rotation[] = [];
  for (const column of sealedColumns) rotations.push(await rotateColumn(column, keys, models));
  return rotations;
}

async function rotateColumn(
  sealed: SealedColumn,
  keys: SecretsKeys,
  models: Models,
): Promise<Rotation> {
  const model: ModelStatic<Model> = models[sealed.model];
  const unreadable: SealedKey[] = [];
  let rotated = 0;
  for (let after = sealed.beforeAll; ;) {
    const read = await readBatch(sealed, after, model);
    for (const row of read.filter(({ text }) => isStale(text, keys))) {
      const renewed = renew(row, sealed, keys);
      if (renewed === undefined) unreadable.push(row.key);
      else rotated += await store({ ...row, renewed }, sealed, model);
    }
    const last = read.at(-1);
    if (!last || read.length < batch) break;
    after = last.key;
  }
  const { table, column } = placeOf(sealed, models);
  return { column: `${table}.${column}`, rotated, unreadable };
}

interface SealedRow {
  readonly key: SealedKey;
  readonly text: string;
}

async function readBatch(
  { column, key }: SealedColumn,
  after: SealedKey,
  model: ModelStatic<Model>,
): Promise<SealedRow[]> {
  const found = await model.findAll({
    attributes: [key, column],
    where: { [column]: { [Op.ne]: null }, [key]: { [Op.gt]: after } },
    order: [key],
    limit: batch,
  });
  return found.map((row) => ({
    key: row.get(key) as SealedKey,
    text: row.get(column) as string,
  }));
}

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

/**
 * How many passwords were hashed with another pepper than new ones are. Nobody can hash them anew but
 * their users, who do by signing in: until then that pepper is needed.
 */
export const countFormerlyPeppered = (
  { PASSWORD_PEPPERS }: Pick<Config, "PASSWORD_PEPPERS">,
  models: Models,
): Promise<number> => {
  const current = [...PASSWORD_PEPPERS.keys()].slice(0, 1);
  return models.User.count({ where: { pepperId: { [Op.ne]: null, [Op.notIn]: current } } });
};
