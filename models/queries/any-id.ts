import { literal, Op, type Utils } from "sequelize";

/**
 * An id as a client gives it. As a parameter it would have to fit the column: an id that is too
 * large names no row, and is no error.
 */
export const anyId = (id: number): { readonly [Op.eq]: Utils.Literal } => ({
  [Op.eq]: literal(BigInt(id).toString()),
});
