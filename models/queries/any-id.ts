import { literal, Op, type Utils } from "sequelize";

/** An id from a client, as a literal: a too large parameter is an error, a literal just no match. */
export const anyId = (id: number): { readonly [Op.eq]: Utils.Literal } => ({
  [Op.eq]: literal(BigInt(id).toString()),
});
