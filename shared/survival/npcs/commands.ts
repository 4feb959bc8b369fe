import { randomUUID } from "node:crypto";

import { beginActivity, recordActivityOutcome } from "../../platform/activity/activity.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { CommandOptions } from "../../platform/bridge/calls/call.ts";
import type { ControlClient } from "../../platform/bridge/calls/control.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { invalidFieldsError, AppError } from "../../platform/errors/errors.ts";
import { toCommandActor, type CommandRequest } from "../../shard/staff/commands.ts";
import { runWithLedgerEntry } from "../calls/ledger.ts";
import { renameNpcPlacementCall, respawnNpcPlacementCall } from "../calls/npc-calls.ts";
import type { SurvivalContext } from "../context.ts";
import { refuseUnknownServers } from "../server-locks.ts";
import { runSync } from "../sync/delivery/run-sync.ts";
import { requestSync } from "../sync/request-sync.ts";
import {
  changePlacementName,
  lockPlacementRevision,
  type PlacementPath,
} from "./change-placements.ts";
import { findPlacement } from "./read-placements.ts";
import { createNpcSync, npcSync } from "./sync/npc-sync.ts";
import { readNpcServers, type SyncProgressState } from "./sync/sync-states.ts";

export interface NpcSyncRequest {
  /** By default all enabled servers. */
  readonly serverIds?: readonly number[];
  /** Profiles to send even if the servers have them. */
  readonly profileIds?: readonly number[];
}

interface ServerPushResult {
  readonly serverId: number;
  readonly state: SyncProgressState;
  readonly error: string | null;
}

/** Sends missing data to servers at once. @throws AppError naming unknown servers and profiles */
export async function syncNpcsNow(
  { serverIds: named, profileIds = [] }: NpcSyncRequest,
  { caller, address }: CommandRequest,
  context: SurvivalContext,
): Promise<{ results: ServerPushResult[] }> {
  await requireProfiles(profileIds, context);
  const servers = await readNpcServers(context, named && [...named]);
  const serverIds = servers.map(({ serverId }) => serverId);
  refuseUnknownServers("serverIds", named ?? [], new Set(serverIds));
  const lineId = await inCallersTransaction(context.sequelize, async (transaction) => {
    const detail = { serverIds, profileIds };
    const action = "survival.npc.pushed";
    const id = await beginActivity({ actor: caller, action, address, detail }, transaction);
    await requestSync({ names: ["npcs"], serverIds, reason: "by hand" }, context, transaction);
    return id;
  });
  const kind = createNpcSync(profileIds);
  await Promise.all(
    serverIds.map((serverId) =>
      runSync({ serverId, name: "npcs" }, kind, context, toCommandActor(caller)),
    ),
  );
  const reached = await readNpcServers(context, serverIds);
  const results = reached.map(({ serverId, state, error }) => ({ serverId, state, error }));
  await inCallersTransaction(context.sequelize, (transaction) =>
    recordActivityOutcome(lineId, { outcome: "done", results }, transaction),
  );
  return { results };
}

async function requireProfiles(ids: readonly number[], { models }: Context): Promise<void> {
  if (ids.length === 0) return;
  const found = await models.SurvivalNpcProfile.findAll({
    where: { isDeleted: false },
    attributes: ["id"],
    raw: true,
  });
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  throw invalidFieldsError([
    { path: "profileIds", message: `there is no profile ${unknown.join(", ")}` },
  ]);
}

/**
 * Renames a placement. The game renames it at once, so that its NPCs stay. A game that is offline or does
 * not know the placement gets the name with the next sync.
 * @throws AppError missing; name_taken
 */
export async function renamePlacement(
  path: PlacementPath,
  name: string,
  order: CommandRequest,
  context: SurvivalContext,
): Promise<void> {
  const before = await changePlacementName(path, name, order.caller, context);
  const [server] = await readNpcServers(context, [path.serverId]);
  if (before === name || !server || server.state === "unsupported") return;
  const input = { params: { name: before }, body: { name } };
  try {
    await sendPlacementCommand(
      path.serverId,
      (control, sent) => control.command(renameNpcPlacementCall, sent, input),
      order,
      context,
    );
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
  }
}

/**
 * Respawns missing NPCs of a placement. Sends pending changes first: the server may lack the placement.
 * @returns the number of spawned NPCs
 * @throws AppError missing; npc_unsupported
 * @throws {BridgeError} if the server refused or did not answer
 */
export async function respawnPlacement(
  path: PlacementPath,
  order: CommandRequest,
  context: SurvivalContext,
): Promise<number> {
  const { placement } = await findPlacement(path, context);
  const [server] = await readNpcServers(context, [path.serverId]);
  if (server?.state === "unsupported") {
    throw new AppError("npc_unsupported", "The server's NPC plugin is missing or too old");
  }
  const lineId = await beginRespawnActivity(placement, order, context);
  const { serverId, name } = placement;
  if (server?.dirty) {
    await runSync({ serverId, name: "npcs" }, npcSync, context, toCommandActor(order.caller));
  }
  const outcomeOf = (detail: { readonly outcome: string; readonly spawned?: number }) =>
    inCallersTransaction(context.sequelize, (transaction) =>
      recordActivityOutcome(lineId, detail, transaction),
    );
  try {
    const { spawned } = await sendPlacementCommand(
      serverId,
      (control, sent) => control.command(respawnNpcPlacementCall, sent, { params: { name } }),
      order,
      context,
    );
    await outcomeOf({ outcome: "done", spawned });
    return spawned;
  } catch (error) {
    if (error instanceof BridgeError) await outcomeOf({ outcome: error.code });
    throw error;
  }
}

const beginRespawnActivity = (
  { id, serverId, name }: { readonly id: number; readonly serverId: number; readonly name: string },
  { caller, address }: CommandRequest,
  { sequelize }: Context,
): Promise<number> => {
  const action = "survival.npc.respawned";
  const target = { type: "survival_npc_placement", id };
  const detail = { serverId, name };
  return inCallersTransaction(sequelize, async (transaction) => {
    await lockPlacementRevision({ serverId, placementId: id }, transaction);
    return beginActivity({ actor: caller, action, target, address, detail }, transaction);
  });
};

/** Stores a ledger entry, then sends a command about a placement. */
function sendPlacementCommand<Answer>(
  serverId: number,
  send: (control: ControlClient, order: CommandOptions) => Promise<Answer>,
  { caller, requestId, idempotencyKey }: CommandRequest,
  context: SurvivalContext,
): Promise<Answer> {
  const deed = {
    serverId,
    what: "placement",
    ref: randomUUID(),
    runId: null,
    stepId: null,
  } as const;
  const order = { actor: toCommandActor(caller), requestId, idempotencyKey };
  const act = () => context.survival.call(serverId, (control) => send(control, order));
  return runWithLedgerEntry(deed, act, context);
}
