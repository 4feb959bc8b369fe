import { literal, Op, type Utils } from "sequelize";

/**
 * Matches an id from a client, written as a literal: a literal out of range matches nothing, a parameter fails.
 */
export const matchClientId = (id: number): { readonly [Op.eq]: Utils.Literal } => ({
  [Op.eq]: literal(BigInt(id).toString()),
});
