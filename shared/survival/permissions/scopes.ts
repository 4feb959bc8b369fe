import { col, fn, Op, type Transaction } from "sequelize";

import { modelsOf } from "../../platform/db/transaction.ts";
import { invalidFieldsError } from "../../platform/errors/errors.ts";
import { refuseUnknownServers } from "../server-locks.ts";
import type { ServerScope } from "./wanted.ts";

/** The servers that a grant or group applies to, as stored. */
export interface StoredScope {
  readonly scopeAll: boolean;
  readonly serverIds: number[];
}

export const allServers: ServerScope = { all: true, serverIds: [] };

/**
 * @param held ids of the existing servers, which are locked
 * @throws AppError if the scope names no server or an unknown one
 */
export function toStoredScope(
  { all, serverIds }: ServerScope,
  held: ReadonlySet<number>,
): StoredScope {
  if (all) return { scopeAll: true, serverIds: [] };
  const asked = [...new Set(serverIds)].toSorted((one, other) => one - other);
  if (asked.length === 0) {
    throw invalidFieldsError([{ path: "scope.serverIds", message: "must name a server" }]);
  }
  refuseUnknownServers("scope.serverIds", asked, held);
  return { scopeAll: false, serverIds: asked };
}

/** Returns the servers that are in at least one scope. */
export function serversOf(scopes: readonly StoredScope[]): readonly number[] | "all" {
  if (scopes.some(({ scopeAll }) => scopeAll)) return "all";
  return [...new Set(scopes.flatMap(({ serverIds }) => serverIds))];
}

/** Removes a deleted server from all scopes. Lock the server first, as writers of scopes do. */
export async function removeServerFromScopes(
  serverId: number,
  transaction: Transaction,
): Promise<void> {
  const { SurvivalPermissionGroup, SurvivalGrant } = modelsOf(transaction);
  const without = { serverIds: fn("array_remove", col("server_ids"), serverId) };
  const naming = { where: { serverIds: { [Op.contains]: [serverId] } }, transaction };
  await SurvivalPermissionGroup.update(without, naming);
  await SurvivalGrant.update(without, naming);
}
