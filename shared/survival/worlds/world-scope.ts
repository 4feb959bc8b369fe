import { anyId } from "../../../models/queries/any-id.ts";
import type { Context } from "../../platform/context.ts";
import { missing } from "../../platform/errors/errors.ts";
import { findPublicServer } from "../servers/public-server.ts";

/** Which worlds a caller asks about: of one server or all, one of them, those that stand, or all. */
export interface WorldQuery {
  readonly server?: number | undefined;
  readonly wipe: number | "current" | "all";
}

/** The same, with ids that are known to be there. */
export interface WorldScope {
  readonly serverId: number | null;
  readonly wipeId: number | null;
  readonly isCurrent: boolean;
}

/**
 * SQL of the worlds of a scope, on servers that the public sees: of `survival_wipes wipe` and its
 * `survival_servers server`, with `scopeValues` as the first parameters.
 */
export const isWithinScope = `server.listed and ($1::integer is null or wipe.server_id = $1)
  and ($2::integer is null or wipe.id = $2) and (not $3::boolean or wipe.ended_at is null)`;

export const scopeValues = ({ serverId, wipeId, isCurrent }: WorldScope) =>
  [serverId, wipeId, isCurrent] as const;

/** @throws AppError missing for a server or a world that the public does not see */
export async function findWorlds(
  { server, wipe }: WorldQuery,
  context: Pick<Context, "models">,
): Promise<WorldScope> {
  const serverId = server === undefined ? null : (await findPublicServer(server, context)).id;
  if (typeof wipe !== "number") return { serverId, wipeId: null, isCurrent: wipe === "current" };
  const found = await context.models.SurvivalWipe.findOne({
    where: { id: anyId(wipe), ...(serverId !== null && { serverId }) },
    attributes: ["id", "serverId"],
  });
  if (!found) throw missing("Unknown wipe");
  await findPublicServer(found.serverId, context);
  return { serverId: found.serverId, wipeId: found.id, isCurrent: false };
}
