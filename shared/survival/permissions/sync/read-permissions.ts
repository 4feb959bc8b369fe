import { Op, type Sequelize, type Transaction } from "sequelize";

import type { Models } from "../../../../models/index.ts";
import type { SurvivalGrant } from "../../../../models/survival/permissions/survival-grant.ts";
import type { SurvivalPermissionGroup } from "../../../../models/survival/permissions/survival-permission-group.ts";
import type { SurvivalPermissionInventory } from "../../../../models/survival/permissions/survival-permission-inventory.ts";
import type { SurvivalPermissionRow } from "../../../../models/survival/permissions/survival-permission-row.ts";
import { readClock } from "../../../platform/db/clock.ts";
import { computePermissionDrift, type PermissionDrift } from "../drift.ts";
import { normalizeName } from "../nodes.ts";
import { entryKey, type PermissionOp, computePermissionOps } from "../permission-ops.ts";
import {
  type PermissionGrant,
  type PermissionGroup,
  type ServerScope,
  type WantedPermissions,
  computeWantedPermissions,
} from "../wanted.ts";

export type StoredPermissionRow = Pick<
  SurvivalPermissionRow,
  "subjectKind" | "subject" | "kind" | "value" | "state" | "shape" | "at" | "error"
>;

export type StoredInventory = Pick<
  SurvivalPermissionInventory,
  "serverId" | "toldAt" | "groups" | "permissions" | "users"
>;

/** The wanted and the known permissions of one server. */
export interface ServerPermissionState {
  readonly serverId: number;
  /** All groups, including those for other servers. */
  readonly groups: readonly PermissionGroup[];
  readonly wanted: WantedPermissions;
  readonly rows: readonly StoredPermissionRow[];
  readonly inventory: StoredInventory | null;
}

export interface PermissionReadOptions {
  readonly models: Models;
  readonly transaction?: Transaction;
  /** Patterns of permissions that the site must not grant. */
  readonly deny: readonly string[];
}

export const toServerScope = ({
  scopeAll,
  serverIds,
}: Pick<SurvivalGrant, "scopeAll" | "serverIds">): ServerScope => ({ all: scopeAll, serverIds });

/** @param steamId limits the result to one player */
export async function readPermissions(
  serverIds: readonly number[],
  { models, transaction, deny }: PermissionReadOptions,
  steamId?: string,
): Promise<ServerPermissionState[]> {
  const within = { raw: true, ...(transaction && { transaction }) } as const;
  const now = await readClock(transaction ?? (models.SurvivalGrant.sequelize as Sequelize));
  const groups = await readGroups(models, within);
  const grants = await models.SurvivalGrant.findAll({
    where: {
      revokedAt: null,
      expiredAt: null,
      [Op.or]: [{ expiresAt: null }, { expiresAt: { [Op.gt]: now } }],
      ...(steamId !== undefined && { steamId }),
    },
    attributes: [...grantColumns],
    ...within,
  });
  const rows = await models.SurvivalPermissionRow.findAll({
    where: {
      serverId: [...serverIds],
      ...(steamId !== undefined && { [Op.or]: [{ subjectKind: "group" }, { subject: steamId }] }),
    },
    ...within,
  });
  const inventories = await models.SurvivalPermissionInventory.findAll({
    where: { serverId: [...serverIds] },
    attributes: ["serverId", "toldAt", "groups", "permissions", ...usersOf(steamId)],
    ...within,
  });
  const rowsOf = Map.groupBy(rows, ({ serverId }) => serverId);
  const inventoryOf = new Map(inventories.map((one) => [one.serverId, one]));
  const given = grants.map(grantOf);
  return serverIds.map((serverId) => {
    const inventory = inventoryOf.get(serverId) ?? null;
    const registered =
      inventory && new Set(inventory.permissions.map(({ name }) => normalizeName(name)));
    const ground = { serverId, groups, grants: given, registered, deny, now };
    const wanted = computeWantedPermissions(ground);
    return { serverId, groups, wanted, inventory, rows: rowsOf.get(serverId) ?? [] };
  });
}

const grantColumns = [
  "kind",
  "steamId",
  "value",
  "scopeAll",
  "serverIds",
  "expiresAt",
  "revokedAt",
] as const;

/** Omits the inventory's players if one player is read, because the list is long. */
const usersOf = (steamId: string | undefined): "users"[] =>
  steamId === undefined ? ["users"] : [];

const readGroups = async (
  models: Models,
  within: { readonly raw: true; readonly transaction?: Transaction },
): Promise<PermissionGroup[]> => {
  const stored = await models.SurvivalPermissionGroup.findAll({ order: ["name"], ...within });
  return stored.map(toPermissionGroup);
};

export const toPermissionGroup = (group: SurvivalPermissionGroup): PermissionGroup => ({
  name: group.name,
  title: group.title,
  rank: group.rank,
  parent: group.parent,
  permissions: group.permissions,
  scope: toServerScope(group),
  managed: group.managed,
});

const grantOf = (grant: Pick<SurvivalGrant, (typeof grantColumns)[number]>): PermissionGrant => ({
  kind: grant.kind,
  steamId: grant.steamId,
  value: grant.value,
  scope: toServerScope(grant),
  expiresAt: grant.expiresAt,
  revokedAt: grant.revokedAt,
});

const noDrift: PermissionDrift = { extra: [], missing: [] };

/** Compares a server's inventory with the entries that were sent before it. */
export function computeServerDrift({ rows, inventory }: ServerPermissionState): PermissionDrift {
  if (!inventory) return noDrift;
  const drift = computePermissionDrift(rows, inventory);
  const later = new Set(rows.filter((row) => isAfterInventory(row, inventory)).map(entryKey));
  return {
    extra: drift.extra.filter((entry) => !later.has(entryKey(entry))),
    missing: drift.missing.filter((entry) => !later.has(entryKey(entry))),
  };
}

const isAfterInventory = (
  { at }: StoredPermissionRow,
  { toldAt }: { readonly toldAt: Date },
): boolean => at >= toldAt;

/** Returns the steps to send now. Sent entries that have disappeared from the server are sent again. */
export function computeServerOps(state: ServerPermissionState): PermissionOp[] {
  const missing = new Set(computeServerDrift(state).missing.map(entryKey));
  const rows = state.rows.map((row) =>
    missing.has(entryKey(row)) ? { ...row, state: "failed" as const } : row,
  );
  return computePermissionOps(state.wanted, rows);
}
