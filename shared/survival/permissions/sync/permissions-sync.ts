import { literal, type Transaction } from "sequelize";

import type { LedgerObjectType } from "../../../../models/survival/survival-ledger-entry.ts";
import { executeStatement } from "../../../platform/db/rows.ts";
import { modelsOf } from "../../../platform/db/transaction.ts";
import { pushPermissionsCall, requestInventoryCall } from "../../calls/permission-calls.ts";
import type { SyncKind } from "../../sync/sync-kind.ts";
import { normalizeName } from "../nodes.ts";
import type { PermissionOp } from "../permission-ops.ts";
import { buildPermissionSync } from "../permission-sync.ts";
import type { PermissionGroup } from "../wanted.ts";
import {
  readPermissions,
  type ServerPermissionState,
  computeServerOps,
} from "./read-permissions.ts";

/**
 * Returns the milliseconds after which a sync without an outcome is repeated. Servers usually report the outcome
 * within seconds, but some apply one change after another.
 */
export const computeOutcomeTimeoutMs = (ops: number): number => 60_000 + ops * 1_000;

/** Sends missing groups and grants to a server, and removes entries that it should not have. */
export const permissionsSync: SyncKind = {
  capability: "perm",
  prepare: async ({ serverId, ref, config }, transaction) => {
    const models = modelsOf(transaction);
    const server = await models.SurvivalServer.findByPk(serverId, {
      attributes: ["permissionSync"],
      raw: true,
      transaction,
    });
    if (!server?.permissionSync) return null;
    const parts = { models, transaction, deny: config.SURVIVAL_PERMISSION_DENY };
    const [state] = await readPermissions([serverId], parts);
    const ops = state ? computeServerOps(state) : [];
    if (!state || ops.length === 0) return null;
    await recordOps(serverId, ref, ops, transaction);
    const body = buildPermissionSync(ref, ops, groupsToSend(state));
    return {
      enters: ledgerTypesOf(ops),
      send: async (control, order) => {
        await control.command(pushPermissionsCall, order, { body });
        return { outcomeWithinMs: computeOutcomeTimeoutMs(ops.length) };
      },
      fail: (failure, ending) => failOps(serverId, ref, failure, ending),
    };
  },
};

const ledgerTypesOf = (ops: readonly PermissionOp[]): LedgerObjectType[] => [
  ...(ops.some(({ subjectKind }) => subjectKind === "group") ? (["group"] as const) : []),
  ...(ops.some(({ subjectKind }) => subjectKind === "user") ? (["grant"] as const) : []),
];

/** Each sync overwrites title and rank, so send the game's own groups with their present values. */
function groupsToSend({ wanted, groups, inventory }: ServerPermissionState) {
  const there = new Map(
    (inventory?.groups ?? []).map((group) => [normalizeName(group.name), group]),
  );
  const headOf = (
    group: Pick<PermissionGroup, "name" | "title" | "rank" | "parent" | "managed">,
  ) => {
    if (group.managed) return group;
    const { title, rank, parent } = there.get(group.name) ?? {};
    return {
      name: group.name,
      title: title ?? group.name,
      rank: rank ?? 0,
      parent: parent ?? null,
    };
  };
  return [...wanted.groups, ...groups].map(headOf);
}

/** Requests a server's permission inventory, which arrives in frames, one for each page. */
export const inventorySync: SyncKind = {
  capability: "perm",
  prepare: () =>
    Promise.resolve({
      enters: [],
      send: async (control) => {
        await control.read(requestInventoryCall);
        return {};
      },
    }),
};

/** Records the steps of a sync. An entry on the server keeps its state until the outcome is known. */
async function recordOps(
  serverId: number,
  pushId: string,
  ops: readonly PermissionOp[],
  transaction: Transaction,
): Promise<void> {
  await executeStatement(transaction, recordOpsSql, [
    serverId,
    pushId,
    ops.map(({ subjectKind }) => subjectKind),
    ops.map(({ subject }) => subject),
    ops.map(({ kind }) => kind),
    ops.map(({ value }) => value),
    ops.map(({ op }) => op),
    ops.map(({ shape }) => shape),
  ]);
}

const recordOpsSql = `
  insert into survival_permission_rows
    (server_id, push_id, subject_kind, subject, kind, value, op, next_shape, state)
  select $1, $2, op.*, 'pending'
  from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) op
  on conflict (server_id, subject_kind, subject, kind, value) do update
  set push_id = excluded.push_id, op = excluded.op, next_shape = excluded.next_shape, error = null,
    state = case
      when excluded.op in ('grant', 'join', 'group') and survival_permission_rows.state <> 'pushed'
      then 'pending' else survival_permission_rows.state end`;

/** Marks new entries of a failed sync as failed, unless the outcome is unknown. */
async function failOps(
  serverId: number,
  pushId: string,
  { reason, isLost }: { readonly reason: string; readonly isLost: boolean },
  transaction: Transaction,
): Promise<void> {
  const failed = literal("case when state = 'pending' then 'failed' else state end");
  await modelsOf(transaction).SurvivalPermissionRow.update(
    { error: reason, ...(!isLost && { state: failed }) },
    { where: { serverId, pushId }, transaction },
  );
}
