import {
  type Attributes,
  type CreateOptions,
  type CreationAttributes,
  EmptyResultError,
  type Model,
  type ModelStatic,
  type Transaction,
} from "sequelize";

/** Inserts a row without a unique violation, which would abort the transaction. @returns null if a key is taken */
export async function insertRowOnce<M extends Model>(
  model: ModelStatic<M>,
  row: CreationAttributes<M>,
  transaction: Transaction,
): Promise<M | null> {
  const options: CreateOptions<Attributes<M>> = { transaction, ignoreDuplicates: true };
  try {
    return await model.create(row, options);
  } catch (error) {
    if (error instanceof EmptyResultError) return null;
    throw error;
  }
}
