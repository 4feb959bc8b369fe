import type { Transaction } from "sequelize";

import type { Context } from "../../platform/context.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import type { ImportName } from "../results/kinds.ts";

/** The result of the last applied import, and the fingerprint of its source. */
export interface ImportedData<Loaded> {
  readonly fingerprint: string;
  readonly loaded: Loaded;
  readonly importedAt: Date;
}

export async function readImportedData<Loaded>(
  kind: ImportName,
  { models }: Pick<Context, "models">,
  transaction?: Transaction,
): Promise<ImportedData<Loaded> | null> {
  const source = await models.ImportedSource.findByPk(kind, { transaction: transaction ?? null });
  if (!source) return null;
  const { fingerprint, loaded, importedAt } = source;
  return { fingerprint, loaded: loaded as Loaded, importedAt };
}

/** Stores the result of an applied import. Call it in the transaction that applies the import. */
export const storeImportedData = (
  kind: ImportName,
  { fingerprint, loaded }: Omit<ImportedData<object>, "importedAt">,
  transaction: Transaction,
): Promise<void> =>
  modelsOf(transaction).ImportedSource.store({ kind, fingerprint, loaded }, transaction);
