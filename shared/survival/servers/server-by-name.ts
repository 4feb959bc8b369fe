import type { Transaction } from "sequelize";

import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors/errors.ts";

/**
 * The id of the server that has a name: digits alone are its id, all else its slug.
 * @returns null when there is none
 */
export async function findServerIdByName(
  name: string,
  { models }: Pick<Context, "models">,
  transaction: Transaction | null = null,
): Promise<number | null> {
  const where = /^[1-9]\d{0,8}$/.test(name) ? { id: Number(name) } : { slug: name };
  const options = { where, attributes: ["id"], raw: true, transaction };
  const found = await models.SurvivalServer.findOne(options);
  return found?.id ?? null;
}

/**
 * The server that a step of an event names.
 * @throws {AppError} when there is none
 */
export async function serverIdByName(
  name: string,
  context: Pick<Context, "models">,
): Promise<number> {
  const id = await findServerIdByName(name, context);
  if (id === null) throw new AppError("invalid_request", `there is no survival server ${name}`);
  return id;
}
