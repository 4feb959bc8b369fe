import { literal, Op, type Utils } from "sequelize";

/**
 * Compares a column with an id from a client. The id is a literal: if it is beyond the column's range, a literal
 * matches nothing, but a parameter fails.
 */
export const matchClientId = (id: number): { readonly [Op.eq]: Utils.Literal } => ({
  [Op.eq]: literal(BigInt(id).toString()),
});
