import type { SurvivalContext } from "../../context.ts";
import { type EffectivePermission, effectivePermissions } from "../effective.ts";
import { readPermissions } from "../store/read-permissions.ts";
import { type GrantRecord, readStandingGrants } from "./read-grants.ts";

export interface Explained {
  readonly direct: readonly GrantRecord[];
  readonly groups: readonly GrantRecord[];
  readonly effective: readonly EffectivePermission[];
}

/** What a player may do on every server, and why. */
export async function explainPlayer(steamId: string, context: SurvivalContext): Promise<Explained> {
  const { models, config } = context;
  const servers = await models.SurvivalServer.findAll({
    where: { permissionSync: true },
    attributes: ["id"],
    order: ["sort", "name", "id"],
    raw: true,
  });
  const parts = { models, deny: config.SURVIVAL_PERMISSION_DENY };
  const [grants, states] = await Promise.all([
    readStandingGrants([steamId], context),
    readPermissions(
      servers.map(({ id }) => id),
      parts,
      steamId,
    ),
  ]);
  return {
    direct: grants.filter(({ kind }) => kind === "permission"),
    groups: grants.filter(({ kind }) => kind === "membership"),
    effective: effectivePermissions(
      steamId,
      states.map(({ serverId, wanted, rows }) => ({ id: serverId, wanted, rows })),
    ),
  };
}
