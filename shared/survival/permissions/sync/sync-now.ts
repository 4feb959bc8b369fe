import type { SurvivalServer } from "../../../../models/survival/survival-server.ts";
import type { Caller } from "../../../platform/access/caller.ts";
import { recordActivity } from "../../../platform/activity/activity.ts";
import type { Context } from "../../../platform/context.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { invalidFields } from "../../../platform/errors/errors.ts";
import { actorOf } from "../../../shard/staff/commands.ts";
import type { SurvivalContext } from "../../context.ts";
import { askForPush } from "../../pushes/ask-for-push.ts";
import { pushKinds } from "../../pushes/delivery/push-kinds.ts";
import { pushKind } from "../../pushes/delivery/work-push.ts";
import { unknownServers } from "../../server-rows.ts";
import type { PermissionOp } from "../permission-ops.ts";
import { syncStateOf, type SyncState } from "../reports/read-sync.ts";
import { readPermissions } from "../store/read-permissions.ts";
import { opsOf } from "../store/server-drift.ts";

export interface SyncOrder {
  /** Absent for every enabled server whose permissions are kept from here. */
  readonly serverIds?: readonly number[];
  /** Only says what would be done. */
  readonly dryRun: boolean;
}

interface Synced {
  readonly serverId: number;
  readonly state: SyncState;
  /** How many steps there were, or would be. */
  readonly ops: number;
  readonly diff?: readonly Omit<PermissionOp, "shape">[];
}

/**
 * Pushes permissions now, or says what a push would do.
 * @throws AppError for a server that there is not, or whose permissions are not kept from here
 */
export async function syncPermissions(
  { serverIds, dryRun }: SyncOrder,
  caller: Caller,
  context: SurvivalContext,
): Promise<{ results: Synced[] }> {
  const { models, config, sequelize } = context;
  const ids = (await chosenServers(serverIds, context)).map(({ id }) => id);
  const parts = { models, deny: config.SURVIVAL_PERMISSION_DENY };
  const states = await readPermissions(ids, parts);
  const steps = new Map(states.map((state) => [state.serverId, opsOf(state)]));
  if (!dryRun) {
    const ask = { serverIds: ids, reason: "sync" } as const;
    // One by one: what a game says asks for the same two in any order.
    await inTransaction(sequelize, (transaction) =>
      askForPush({ names: ["permission-inventory"], ...ask }, context, transaction),
    );
    await inTransaction(sequelize, async (transaction) => {
      await askForPush({ names: ["permissions"], ...ask }, context, transaction);
      const action = "survival.permission.synced";
      await recordActivity({ actor: caller, action, detail: { serverIds: ids } }, transaction);
    });
    await Promise.all(ids.map((serverId) => pushNow(serverId, caller, context)));
  }
  const pushes = await models.SurvivalPush.findAll({
    where: { serverId: ids, name: "permissions" },
    attributes: ["serverId", "state"],
    raw: true,
  });
  const stateOf = new Map(pushes.map((push) => [push.serverId, syncStateOf(push)]));
  const results = ids.map((serverId): Synced => {
    const ops = steps.get(serverId) ?? [];
    const state = stateOf.get(serverId) ?? "offline";
    const common = { serverId, ops: ops.length };
    if (dryRun) return { ...common, state, diff: ops.map(({ shape: _shape, ...step }) => step) };
    // What was asked for meanwhile is on its way.
    return { ...common, state: state === "dirty" ? "pushing" : state };
  });
  return { results };
}

const pushNow = (serverId: number, caller: Caller, context: SurvivalContext): Promise<void> =>
  pushKind({ serverId, name: "permissions" }, pushKinds.permissions, context, actorOf(caller));

type Chosen = Pick<SurvivalServer, "id" | "enabled" | "permissionSync">;

async function chosenServers(
  serverIds: readonly number[] | undefined,
  { models }: Context,
): Promise<Chosen[]> {
  const servers: Chosen[] = await models.SurvivalServer.findAll({
    where: serverIds ? { id: [...serverIds] } : { enabled: true, permissionSync: true },
    attributes: ["id", "enabled", "permissionSync"],
    order: ["sort", "name", "id"],
    raw: true,
  });
  const path = "serverIds";
  const known = new Set(servers.map(({ id }) => id));
  const faults = unknownServers(path, serverIds ?? [], known);
  const left = servers.filter(({ permissionSync }) => !permissionSync).map(({ id }) => id);
  if (left.length > 0) {
    const message = `permissions are not kept from here on server ${left.join(", ")}`;
    faults.push({ path, message });
  }
  if (faults.length === 0) return servers;
  throw invalidFields(faults);
}
