import { anyId } from "../../../models/queries/any-id.ts";
import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import type { Context } from "../../platform/context.ts";
import { missing } from "../../platform/errors/errors.ts";

/** A server that the public sees, on or off. @throws AppError missing */
export async function findPublicServer(
  id: number,
  { models }: Pick<Context, "models">,
): Promise<SurvivalServer> {
  const where = { id: anyId(id), listed: true };
  const server = await models.SurvivalServer.findOne({ where });
  if (!server) throw missing("Unknown server");
  return server;
}
