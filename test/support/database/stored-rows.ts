import type { Attributes, Model, ModelStatic, WhereOptions } from "sequelize";

import { readPlainRows } from "../../../models/queries/plain-rows.ts";

/** Returns these columns of a model's rows, in the order of the primary key. */
export const storedRows = <M extends Model, Column extends keyof Attributes<M> & keyof M & string>(
  model: ModelStatic<M>,
  columns: readonly Column[],
  where: WhereOptions<Attributes<M>> = {},
): Promise<Pick<M, Column>[]> =>
  readPlainRows(model, { columns, computed: {}, where, order: [...model.primaryKeyAttributes] });
