import type { SurvivalServer } from "../../../../models/survival/survival-server.ts";
import type { SurvivalSync } from "../../../../models/survival/survival-sync.ts";
import type { Caller } from "../../../platform/access/caller.ts";
import { recordActivity } from "../../../platform/activity/activity.ts";
import type { Context } from "../../../platform/context.ts";
import { inCallersTransaction } from "../../../platform/db/transaction.ts";
import { invalidFieldsError } from "../../../platform/errors/errors.ts";
import { toCommandActor } from "../../../shard/staff/commands.ts";
import type { SurvivalContext } from "../../context.ts";
import { findUnknownServerFaults } from "../../server-locks.ts";
import { runSync } from "../../sync/delivery/run-sync.ts";
import { syncKinds } from "../../sync/delivery/sync-kinds.ts";
import { requestSync } from "../../sync/request-sync.ts";
import type { PermissionDrift } from "../drift.ts";
import { type GroupRecord, readGroups } from "../grants/read-groups.ts";
import type { PermissionOp, PermissionEntry } from "../permission-ops.ts";
import { readPermissions, computeServerOps, computeServerDrift } from "../sync/read-permissions.ts";

export interface PermissionSyncRequest {
  /** By default all enabled servers with `permissionSync`. */
  readonly serverIds?: readonly number[];
  /** True to compute the steps without sending them. */
  readonly dryRun: boolean;
}

interface ServerSyncResult {
  readonly serverId: number;
  readonly state: PermissionSyncState;
  /** Number of steps. */
  readonly ops: number;
  readonly diff?: readonly Omit<PermissionOp, "shape">[];
}

/**
 * Syncs now, or only computes the steps.
 * @throws AppError for servers that are unknown or lack `permissionSync`
 */
export async function syncPermissions(
  { serverIds, dryRun }: PermissionSyncRequest,
  caller: Caller,
  context: SurvivalContext,
): Promise<{ results: ServerSyncResult[] }> {
  const { models, config, sequelize } = context;
  const ids = (await chosenServers(serverIds, context)).map(({ id }) => id);
  const parts = { models, deny: config.SURVIVAL_PERMISSION_DENY };
  const states = await readPermissions(ids, parts);
  const steps = new Map(states.map((state) => [state.serverId, computeServerOps(state)]));
  if (!dryRun) {
    const ask = { serverIds: ids, reason: "sync" } as const;
    // Use two transactions to avoid deadlocks: frames of the game request the same two syncs in any order.
    await inCallersTransaction(sequelize, (transaction) =>
      requestSync({ names: ["permission-inventory"], ...ask }, context, transaction),
    );
    await inCallersTransaction(sequelize, async (transaction) => {
      await requestSync({ names: ["permissions"], ...ask }, context, transaction);
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
  const results = ids.map((serverId): ServerSyncResult => {
    const ops = steps.get(serverId) ?? [];
    const state = stateOf.get(serverId) ?? "offline";
    const common = { serverId, ops: ops.length };
    if (dryRun) return { ...common, state, diff: ops.map(({ shape: _shape, ...step }) => step) };
    // `dirty` here means that another change is being sent.
    return { ...common, state: state === "dirty" ? "pushing" : state };
  });
  return { results };
}

const pushNow = (serverId: number, caller: Caller, context: SurvivalContext): Promise<void> =>
  runSync(
    { serverId, name: "permissions" },
    syncKinds.permissions,
    context,
    toCommandActor(caller),
  );

type ChosenServer = Pick<SurvivalServer, "id" | "enabled" | "permissionSync">;

async function chosenServers(
  serverIds: readonly number[] | undefined,
  { models }: Context,
): Promise<ChosenServer[]> {
  const servers: ChosenServer[] = await models.SurvivalServer.findAll({
    where: serverIds ? { id: [...serverIds] } : { enabled: true, permissionSync: true },
    attributes: ["id", "enabled", "permissionSync"],
    order: ["sort", "name", "id"],
    raw: true,
  });
  const path = "serverIds";
  const known = new Set(servers.map(({ id }) => id));
  const faults = findUnknownServerFaults(path, serverIds ?? [], known);
  const left = servers.filter(({ permissionSync }) => !permissionSync).map(({ id }) => id);
  if (left.length > 0) {
    const message = `permissionSync is off for server ${left.join(", ")}`;
    faults.push({ path, message });
  }
  if (faults.length === 0) return servers;
  throw invalidFieldsError(faults);
}

const permissionSyncStates = ["clean", "dirty", "pushing", "failed", "offline"] as const;
type PermissionSyncState = (typeof permissionSyncStates)[number];

interface ServerSync {
  readonly serverId: number;
  readonly state: PermissionSyncState;
  readonly dirtyReason: string | null;
  readonly error: string | null;
  readonly lastPushAt: Date | null;
  readonly lastOkAt: Date | null;
  readonly inventoryAt: Date | null;
  readonly pendingOps: number;
  readonly unknownPermissions: readonly string[];
  readonly drift: PermissionDrift;
}

interface Counts {
  readonly groups: number;
  readonly grants: number;
  readonly players: number;
}

export interface PermissionsOverview {
  readonly groups: readonly GroupRecord[];
  readonly servers: readonly ServerSync[];
  readonly counts: Counts;
}

type PushFacts = Pick<SurvivalSync, "state" | "reason" | "error" | "lastPushAt" | "lastOkAt">;

/** Returns the state that staff see. A sync that is not supported counts as failed. */
function syncStateOf(push: Pick<SurvivalSync, "state"> | null | undefined): PermissionSyncState {
  if (!push) return "offline";
  const { state } = push;
  if (state === "waiting") return "dirty";
  return state === "unsupported" ? "failed" : state;
}

export async function readOverview(context: SurvivalContext): Promise<PermissionsOverview> {
  const { models, config } = context;
  const servers = await models.SurvivalServer.findAll({
    attributes: ["id"],
    order: ["sort", "name", "id"],
    raw: true,
  });
  const ids = servers.map(({ id }) => id);
  const parts = { models, deny: config.SURVIVAL_PERMISSION_DENY };
  const [groups, pushes, states, counts] = await Promise.all([
    readGroups(context),
    models.SurvivalPush.findAll({ where: { name: "permissions" }, raw: true }),
    readPermissions(ids, parts),
    countGrants(context),
  ]);
  const pushOf = new Map(pushes.map((push) => [push.serverId, push]));
  return {
    groups,
    servers: states.map((state) => {
      const push: PushFacts | undefined = pushOf.get(state.serverId);
      return {
        serverId: state.serverId,
        state: syncStateOf(push),
        dirtyReason: push && push.state !== "clean" ? push.reason : null,
        error: push?.error ?? null,
        lastPushAt: push?.lastPushAt ?? null,
        lastOkAt: push?.lastOkAt ?? null,
        inventoryAt: state.inventory?.toldAt ?? null,
        pendingOps: computeServerOps(state).length,
        unknownPermissions: state.wanted.unknown,
        drift: shortenDrift(computeServerDrift(state)),
      };
    }),
    counts: { groups: groups.length, ...counts },
  };
}

/** Maximum number of entries per list. The inventory report shows all entries. */
const maxDriftEntries = 50;

const shortenDrift = ({ extra, missing }: PermissionDrift): PermissionDrift => ({
  extra: first(extra),
  missing: first(missing),
});

const first = (entries: readonly PermissionEntry[]): readonly PermissionEntry[] =>
  entries.slice(0, maxDriftEntries);

async function countGrants({ models }: Pick<Context, "models">): Promise<Omit<Counts, "groups">> {
  const inForce = models.SurvivalGrant.scope("inForce");
  const [grants, players] = await Promise.all([
    inForce.count(),
    inForce.count({ distinct: true, col: "steamId" }),
  ]);
  return { grants, players };
}
