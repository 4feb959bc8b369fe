import { literal, Op, type Utils } from "sequelize";

/** An id from a client, as a literal: a literal above the range of ids matches nothing, a parameter fails. */
export const matchClientId = (id: number): { readonly [Op.eq]: Utils.Literal } => ({
  [Op.eq]: literal(BigInt(id).toString()),
});
