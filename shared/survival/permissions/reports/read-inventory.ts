import { matchClientId } from "../../../../models/queries/any-id.ts";
import type { Context } from "../../../platform/context.ts";
import { rows } from "../../../platform/db/rows.ts";
import { notFoundError } from "../../../platform/errors/errors.ts";
import type { PermissionDrift } from "../drift.ts";
import {
  readPermissions,
  type StoredInventory,
  computeServerDrift,
} from "../sync/read-permissions.ts";

export interface InventoryReport {
  readonly inventory: Pick<StoredInventory, "groups" | "permissions" | "users"> | null;
  readonly drift: PermissionDrift;
  readonly inventoryAt: Date | null;
}

const emptyReport: InventoryReport = {
  inventory: null,
  drift: { extra: [], missing: [] },
  inventoryAt: null,
};

/** Reads the last inventory of a server, and its difference from the sent entries. */
export async function readInventory(
  serverId: number,
  { models, config }: Context,
): Promise<InventoryReport> {
  const server = await models.SurvivalServer.findOne({
    where: { id: matchClientId(serverId) },
    attributes: ["id"],
    raw: true,
  });
  if (!server) throw notFoundError("There is no such server");
  const parts = { models, deny: config.SURVIVAL_PERMISSION_DENY };
  const [state] = await readPermissions([serverId], parts);
  if (!state?.inventory) return emptyReport;
  const { groups, permissions, users, toldAt } = state.inventory;
  return {
    inventory: { groups, permissions, users },
    drift: computeServerDrift(state),
    inventoryAt: toldAt,
  };
}

export interface KnownPermission {
  readonly name: string;
  readonly plugin: string | null;
  readonly servers: readonly number[];
}

/** Reads the permissions that plugins registered, on one server or on all. */
export const readRegisteredPermissions = (
  server: number | undefined,
  { sequelize }: Pick<Context, "sequelize">,
): Promise<KnownPermission[]> => rows<KnownPermission>(sequelize, registered, [server]);

const registered = `
  select lower(item ->> 'name') as name, max(item ->> 'plugin') as plugin,
    array_agg(distinct server_id order by server_id) as servers
  from survival_permission_inventories, jsonb_array_elements(permissions) item
  where $1::bigint is null or server_id = $1
  group by 1 order by 1`;
