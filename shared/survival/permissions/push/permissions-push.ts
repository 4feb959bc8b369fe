import type { LedgerWhat } from "../../../../models/survival/survival-ledger-entry.ts";
import { modelsOf } from "../../../platform/db/transaction.ts";
import { pushPermissions } from "../../calls/permission-calls.ts";
import type { PushKind } from "../../pushes/push-kind.ts";
import { lowered } from "../nodes.ts";
import type { PermissionOp } from "../permission-ops.ts";
import { permissionPush } from "../permission-push.ts";
import { failOps, noteOps } from "../store/note-ops.ts";
import { readPermissions, type ServerState } from "../store/read-permissions.ts";
import { opsOf } from "../store/server-drift.ts";
import type { PermissionGroup } from "../wanted.ts";

/** A server says within seconds what it did; one that never does is asked again. */
const outcomeWithinMs = 60_000;

/** Brings a server the groups and grants that it lacks, and takes those that it should not have. */
export const permissionsPush: PushKind = {
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
    const ops = state ? opsOf(state) : [];
    if (!state || ops.length === 0) return null;
    await noteOps(serverId, ref, ops, transaction);
    const body = permissionPush(ref, ops, headsOf(state));
    return {
      enters: entersOf(ops),
      send: async (control, order) => {
        await control.command(pushPermissions, order, { body });
        return { outcomeWithinMs };
      },
      fail: (failure, ending) => failOps(serverId, ref, failure, ending),
    };
  },
};

const entersOf = (ops: readonly PermissionOp[]): LedgerWhat[] => [
  ...(ops.some(({ subjectKind }) => subjectKind === "group") ? (["group"] as const) : []),
  ...(ops.some(({ subjectKind }) => subjectKind === "user") ? (["grant"] as const) : []),
];

/** What the game says of its own groups is told it again, for it takes title and rank as sent. */
function headsOf({ wanted, groups, inventory }: ServerState) {
  const there = new Map((inventory?.groups ?? []).map((group) => [lowered(group.name), group]));
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
