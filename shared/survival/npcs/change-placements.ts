import type { Transaction } from "sequelize";

import { matchClientId } from "../../../models/queries/any-id.ts";
import { transactionStart } from "../../../models/queries/clock.ts";
import type { SurvivalNpcPlacement } from "../../../models/survival/npcs/survival-npc-placement.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import { requireBaseRevision } from "../../platform/base-revision.ts";
import { takeTransactionLock } from "../../platform/db/lock.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError, invalidFieldsError, notFoundError } from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";
import type { SurvivalContext } from "../context.ts";
import { lockServerShared } from "../server-locks.ts";
import { requestSync } from "../sync/request-sync.ts";
import {
  mergePlacementFields,
  type NewPlacement,
  completePlacementFields,
  type PlacementChange,
  type PlacementFields,
  placementRevision,
} from "./placement-fields.ts";

/** The path parameters of a placement. A placement of another server counts as missing. */
export interface PlacementPath {
  readonly serverId: number;
  readonly placementId: number;
}

/** Creates a placement. @throws AppError missing; name_taken; npc_limit_reached; or naming each invalid field */
export const createPlacement = (
  serverId: number,
  given: NewPlacement,
  caller: Caller,
  context: SurvivalContext,
): Promise<number> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    await lockPlacements(serverId, transaction);
    const { SurvivalNpcPlacement: Placement } = modelsOf(transaction);
    const { name } = given;
    await refuseTakenName(serverId, name, transaction);
    const count = await Placement.count({ where: { serverId }, transaction });
    if (count >= limits.npcPlacements) {
      throw new AppError(
        "npc_limit_reached",
        `The server already has ${count} placements: delete one first`,
      );
    }
    const fields = completePlacementFields(given);
    await requireProfile(fields, transaction);
    const saveId = await readCurrentWorld(serverId, transaction);
    const placement = await Placement.create(
      { ...fields, serverId, name, saveId, updatedBy: caller.userId },
      { transaction },
    );
    await recordPlacementChange("placement_added", placement, { caller, context }, transaction);
    return placement.id;
  });

/** Changes fields of a placement, but not its name. @throws AppError missing; or naming each invalid field */
export const changePlacement = (
  path: PlacementPath,
  { name, ...change }: PlacementChange,
  caller: Caller,
  context: SurvivalContext,
): Promise<void> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const placement = await lockPlacement(path, transaction);
    if (name !== undefined && name !== placement.name) {
      throw invalidFieldsError([
        {
          path: "name",
          message: "name cannot be changed here: use the route that renames a placement",
        },
      ]);
    }
    const fields = mergePlacementFields(placement.get(), change);
    await requireProfile(fields, transaction);
    placement.set({ ...fields, updatedAt: transactionStart(), updatedBy: caller.userId });
    if (worldBoundFields.some((field) => change[field] !== undefined) && change.enabled !== false) {
      placement.saveId = await readCurrentWorld(path.serverId, transaction);
    }
    await placement.save({ transaction });
    await recordPlacementChange("placement_changed", placement, { caller, context }, transaction);
  });

/** A change of one of these fields assigns the placement to the current world. */
const worldBoundFields = ["enabled", "anchor", "monument", "x", "y", "z", "onWipe"] as const;

/** Deletes a placement. @throws AppError missing if it does not exist */
export const deletePlacement = (
  path: PlacementPath,
  caller: Caller,
  context: SurvivalContext,
): Promise<void> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const placement = await lockPlacement(path, transaction);
    await placement.destroy({ transaction });
    await recordPlacementChange("placement_removed", placement, { caller, context }, transaction);
  });

/** Renames a placement. @returns the old name @throws AppError missing; name_taken */
export const changePlacementName = (
  path: PlacementPath,
  name: string,
  caller: Caller,
  context: SurvivalContext,
): Promise<string> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const placement = await lockPlacement(path, transaction);
    const before = placement.name;
    if (before === name) return before;
    await refuseTakenName(path.serverId, name, transaction);
    await placement.update(
      { name, updatedAt: transactionStart(), updatedBy: caller.userId },
      { transaction },
    );
    await recordPlacementChange(
      "placement_renamed",
      placement,
      { caller, context, before },
      transaction,
    );
    return before;
  });

/** Locks a placement. Throws unless it has the caller's revision. @throws AppError missing */
export const lockPlacementRevision = async (
  path: PlacementPath,
  transaction: Transaction,
): Promise<void> => {
  await lockPlacement(path, transaction);
};

/** Serializes changes by staff, and keeps the server from being deleted. */
async function lockPlacements(serverId: number, transaction: Transaction): Promise<void> {
  await takeTransactionLock("npcs", transaction);
  if (!(await lockServerShared(serverId, transaction))) throw notFoundError("Unknown server");
}

/** Locks and returns the placement. Throws unless it has the revision that the caller read. */
async function lockPlacement(
  { serverId, placementId }: PlacementPath,
  transaction: Transaction,
): Promise<SurvivalNpcPlacement> {
  await lockPlacements(serverId, transaction);
  const placement = await modelsOf(transaction).SurvivalNpcPlacement.findOne({
    where: { id: matchClientId(placementId), serverId: matchClientId(serverId) },
    transaction,
  });
  if (!placement) throw notFoundError("Unknown placement");
  requireBaseRevision(placementRevision(placement));
  return placement;
}

async function refuseTakenName(
  serverId: number,
  name: string,
  transaction: Transaction,
): Promise<void> {
  const { SurvivalNpcPlacement: Placement } = modelsOf(transaction);
  if ((await Placement.count({ where: { serverId, name }, transaction })) === 0) return;
  const faults = [{ path: "name", message: "name is taken" }];
  throw new AppError("name_taken", "The name is taken", { faults });
}

/** Requires that the profile of an enabled placement exists. A disabled placement may name a deleted profile. */
async function requireProfile(
  { profileKey, enabled }: PlacementFields,
  transaction: Transaction,
): Promise<void> {
  if (!enabled) return;
  const profile = await modelsOf(transaction).SurvivalNpcProfile.findOne({
    where: { key: profileKey, isDeleted: false },
    attributes: ["id"],
    transaction,
  });
  if (profile) return;
  throw invalidFieldsError([{ path: "profileKey", message: `there is no profile ${profileKey}` }]);
}

async function readCurrentWorld(
  serverId: number,
  transaction: Transaction,
): Promise<number | null> {
  const state = await modelsOf(transaction).SurvivalServerState.findByPk(serverId, {
    attributes: ["saveId"],
    raw: true,
    transaction,
  });
  return state?.saveId ?? null;
}

interface PlacementAction {
  readonly caller: Caller;
  readonly context: SurvivalContext;
  readonly before?: string;
}

/** Writes the activity log and requests a sync. */
async function recordPlacementChange(
  verb: "placement_added" | "placement_changed" | "placement_removed" | "placement_renamed",
  { id, serverId, name, profileKey }: SurvivalNpcPlacement,
  { caller, context, before }: PlacementAction,
  transaction: Transaction,
): Promise<void> {
  await recordActivity(
    {
      actor: caller,
      action: `survival.npc.${verb}`,
      target: { type: "survival_npc_placement", id },
      detail: { serverId, name, profileKey, ...(before !== undefined && { before }) },
    },
    transaction,
  );
  const ask = { names: ["npcs"], serverIds: [serverId], reason: verb } as const;
  await requestSync(ask, context, transaction);
}
