import { isDeepStrictEqual } from "node:util";

import type { Transaction } from "sequelize";

import { matchClientId } from "../../../models/queries/any-id.ts";
import { transactionStart } from "../../../models/queries/clock.ts";
import type { SurvivalNpcProfile } from "../../../models/survival/npcs/survival-npc-profile.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import { requireBaseRevision } from "../../platform/base-revision.ts";
import { takeTransactionLock } from "../../platform/db/lock.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError, invalidFieldsError, notFoundError } from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";
import type { SurvivalContext } from "../context.ts";
import { requestSync } from "../sync/request-sync.ts";
import {
  mergeProfile,
  createProfileDocument,
  type ProfileChange,
  type ProfileDocument,
  parseProfileDocument,
} from "./profile-fields.ts";

export type NewProfile = ProfileChange & { readonly key: string; readonly displayName: string };

/** Omitted fields keep their values. The key may be sent, but not changed. */
export type ProfileUpdate = ProfileChange & { readonly key?: string };

/** @throws AppError name_taken; npc_limit_reached */
export const createProfile = (
  { key, ...fields }: NewProfile,
  caller: Caller,
  context: SurvivalContext,
): Promise<number> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const { SurvivalNpcProfile: Profile } = modelsOf(transaction);
    await takeTransactionLock("npcs", transaction);
    const where = { isDeleted: false };
    if (await Profile.count({ where: { ...where, key }, transaction })) throwKeyTaken();
    if ((await Profile.count({ where, transaction })) >= limits.npcProfiles) throwLimitReached();
    const profile = await Profile.create(
      { key, document: { ...createProfileDocument(fields) }, updatedBy: caller.userId },
      { transaction },
    );
    await recordProfileChange("created", profile, { caller, context, detail: {} }, transaction);
    return profile.id;
  });

/** Changes a profile, except its key. @throws AppError missing; stale_revision; or naming the key */
export const changeProfile = (
  id: number,
  { key, ...change }: ProfileUpdate,
  caller: Caller,
  context: SurvivalContext,
): Promise<void> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const profile = await lockProfile(id, transaction);
    if (key !== undefined && key !== profile.key) {
      throw invalidFieldsError([{ path: "key", message: "key cannot be changed" }]);
    }
    requireBaseRevision(profile.revision);
    const document = mergeProfile(profile.document as ProfileDocument, change);
    if (!(await replaceDocument(profile, { document, caller }, transaction))) return;
    const detail = { fields: Object.keys(change) };
    await recordProfileChange("changed", profile, { caller, context, detail }, transaction);
  });

/** Makes an earlier revision's document the current one. @throws AppError missing */
export const restoreProfile = (
  id: number,
  revision: number,
  caller: Caller,
  context: SurvivalContext,
): Promise<void> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const profile = await lockProfile(id, transaction);
    requireBaseRevision(profile.revision);
    const old = await modelsOf(transaction).SurvivalNpcRevision.findOne({
      where: { profileId: profile.id, revision: matchClientId(revision) },
      transaction,
    });
    if (!old) throw notFoundError("Unknown revision");
    const document = parseProfileDocument(old.document, profile.key);
    if (!(await replaceDocument(profile, { document, caller }, transaction))) return;
    await recordProfileChange(
      "restored",
      profile,
      { caller, context, detail: { restored: revision } },
      transaction,
    );
  });

/**
 * Deletes a profile.
 * @param force true to disable placements that use it
 * @throws AppError missing; npc_profile_in_use
 */
export const deleteProfile = (
  id: number,
  force: boolean,
  caller: Caller,
  context: SurvivalContext,
): Promise<void> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const profile = await lockProfile(id, transaction);
    requireBaseRevision(profile.revision);
    const { SurvivalNpcPlacement: Placement } = modelsOf(transaction);
    const where = { profileKey: profile.key };
    const used = await Placement.count({ where, transaction });
    if (used > 0 && !force) {
      throw new AppError("npc_profile_in_use", `The profile has ${used} placements`);
    }
    await Placement.update(
      { enabled: false, updatedAt: transactionStart(), updatedBy: caller.userId },
      { where: { ...where, enabled: true }, transaction },
    );
    await profile.update(
      { isDeleted: true, updatedAt: transactionStart(), updatedBy: caller.userId },
      { transaction },
    );
    await recordProfileChange(
      "deleted",
      profile,
      { caller, context, detail: { placements: used } },
      transaction,
    );
  });

interface Replacement {
  readonly document: ProfileDocument;
  readonly caller: Caller;
}

/** Stores the current document as a revision and replaces it. @returns false if nothing changed */
async function replaceDocument(
  profile: SurvivalNpcProfile,
  { document, caller }: Replacement,
  transaction: Transaction,
): Promise<boolean> {
  if (isDeepStrictEqual(profile.document, document)) return false;
  const { id, revision, lastRevision, updatedAt, updatedBy } = profile;
  await modelsOf(transaction).SurvivalNpcRevision.create(
    {
      profileId: id,
      revision,
      document: profile.document,
      origin: "site",
      serverId: null,
      updatedAt,
      updatedBy,
    },
    { transaction },
  );
  const next = lastRevision + 1;
  await profile.update(
    {
      document: { ...document },
      revision: next,
      lastRevision: next,
      updatedAt: transactionStart(),
      updatedBy: caller.userId,
    },
    { transaction },
  );
  return true;
}

/** Locks and returns the profile; other changes and syncs wait. @throws AppError missing */
async function lockProfile(id: number, transaction: Transaction): Promise<SurvivalNpcProfile> {
  await takeTransactionLock("npcs", transaction);
  const profile = await modelsOf(transaction).SurvivalNpcProfile.findOne({
    where: { id: matchClientId(id), isDeleted: false },
    transaction,
    lock: transaction.LOCK.UPDATE,
  });
  if (!profile) throw notFoundError("Unknown profile");
  return profile;
}

function throwKeyTaken(): never {
  const faults = [{ path: "key", message: "key is taken" }];
  throw new AppError("name_taken", "The key is taken", { faults });
}

function throwLimitReached(): never {
  throw new AppError(
    "npc_limit_reached",
    `There are already ${limits.npcProfiles} profiles: delete one first`,
  );
}

interface ProfileAction {
  readonly caller: Caller;
  readonly context: SurvivalContext;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Writes the activity log and requests a sync. */
async function recordProfileChange(
  verb: "created" | "changed" | "restored" | "deleted",
  { id, key, revision }: SurvivalNpcProfile,
  { caller, context, detail }: ProfileAction,
  transaction: Transaction,
): Promise<void> {
  await recordActivity(
    {
      actor: caller,
      action: `survival.npc.${verb}`,
      target: { type: "survival_npc_profile", id },
      detail: { key, revision, ...detail },
    },
    transaction,
  );
  const ask = { names: ["npcs"], serverIds: "all", reason: `profile ${verb}` } as const;
  await requestSync(ask, context, transaction);
}
