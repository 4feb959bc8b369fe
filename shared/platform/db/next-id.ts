import type { Model, ModelStatic, Transaction } from "sequelize";

import { firstRow } from "./rows.ts";

/**
 * The id that the next row of a table gets, of a counter that no model tells of.
 * @param transaction holds a lock without which nobody makes such a row
 */
export async function nextIdOf(
  { tableName }: ModelStatic<Model>,
  transaction: Transaction,
): Promise<number> {
  const row = await firstRow<{ id: number }>(
    transaction,
    `select (last_value + is_called::integer)::integer as id from ${tableName}_id_seq`,
  );
  return row?.id ?? 1;
}
