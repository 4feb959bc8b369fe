import type { Transaction } from "sequelize";

import { matchClientId } from "../../../../models/queries/any-id.ts";
import { transactionStart } from "../../../../models/queries/clock.ts";
import type { SurvivalGrant } from "../../../../models/survival/permissions/survival-grant.ts";
import type { Caller } from "../../../platform/access/caller.ts";
import { requireBaseRevision } from "../../../platform/base-revision.ts";
import type { Context } from "../../../platform/context.ts";
import { readClock } from "../../../platform/db/clock.ts";
import { isUniqueViolation } from "../../../platform/db/rows.ts";
import { inCallersTransaction, modelsOf } from "../../../platform/db/transaction.ts";
import { AppError, invalidFieldsError, notFoundError } from "../../../platform/errors/errors.ts";
import type { SurvivalContext } from "../../context.ts";
import { lockServersShared } from "../../server-locks.ts";
import { requestSync } from "../../sync/request-sync.ts";
import { defaultGroup } from "../effective.ts";
import { checkNode } from "../nodes.ts";
import { grantRevision } from "../revisions.ts";
import { allServers, serversOf, toStoredScope } from "../scopes.ts";
import type { ServerScope } from "../wanted.ts";
import {
  type PermissionAction,
  recordPermissionChange,
  recordPermissionChanges,
  expireGrants,
  scheduleGrantExpiry,
  notifyGrants,
} from "./changes.ts";

interface GrantTerms {
  readonly scope?: ServerScope;
  /** ISO 8601; null if the grant never ends. */
  readonly expiresAt?: string | null;
  readonly reason?: string | null;
}

export interface NewGrant extends GrantTerms {
  readonly kind: SurvivalGrant["kind"];
  readonly steamId?: string;
  readonly userId?: number;
  readonly value: string;
}

export type GrantChange = GrantTerms;

/** Creates a grant. @throws AppError missing if the user has no linked account; grant_exists; or naming fields */
export async function createGrant(
  given: NewGrant,
  caller: Caller,
  context: SurvivalContext,
): Promise<number> {
  const { kind, value, reason = null } = given;
  await expireGrants(context);
  try {
    return await inCallersTransaction(context.sequelize, async (transaction) => {
      const held = await lockServersShared(transaction);
      await checkValue(given, context, transaction);
      const player = await resolvePlayer(given, transaction);
      const expiresAt = await parseExpiry(given.expiresAt ?? null, transaction);
      const scope = toStoredScope(given.scope ?? allServers, held);
      const grant = await modelsOf(transaction).SurvivalGrant.create(
        { kind, value, reason, expiresAt, ...player, ...scope, createdBy: caller.userId },
        { transaction },
      );
      await scheduleGrantExpiry(expiresAt, context, transaction);
      await record("granted", grant, [grant], { caller, context, transaction });
      await notifyGrants("granted", [grant], context, transaction);
      return grant.id;
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("grant_exists", "The player already has this grant: change that grant");
  }
}

/** @throws AppError missing; grant_ended; or naming invalid fields */
export const changeGrant = (
  id: number,
  change: GrantChange,
  caller: Caller,
  context: SurvivalContext,
): Promise<void> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const held = await lockServersShared(transaction);
    const grant = await lockGrant(id, transaction);
    requireBaseRevision(grantRevision(grant));
    const before = { scopeAll: grant.scopeAll, serverIds: grant.serverIds };
    if (change.scope) grant.set(toStoredScope(change.scope, held));
    if (change.reason !== undefined) grant.reason = change.reason;
    if (change.expiresAt !== undefined) {
      grant.expiresAt = await parseExpiry(change.expiresAt, transaction);
      await scheduleGrantExpiry(grant.expiresAt, context, transaction);
    }
    await grant.save({ transaction });
    await record("changed", grant, [before, grant], { caller, context, transaction });
  });

/** @throws AppError missing; grant_ended */
export const revokeGrant = (id: number, caller: Caller, context: SurvivalContext): Promise<void> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    await lockServersShared(transaction);
    const grant = await lockGrant(id, transaction);
    requireBaseRevision(grantRevision(grant));
    await revoke(grant, caller.userId, transaction);
    await record("revoked", grant, [grant], { caller, context, transaction });
    await notifyGrants("revoked", [grant], context, transaction);
  });

/** Revokes all grants of a user. Lock the servers first. @param caller null for the system */
export async function revokeGrantsOf(
  userId: number,
  caller: Caller | null,
  context: Pick<Context, "queue" | "config" | "log">,
  transaction: Transaction,
): Promise<void> {
  const lasting = { userId, revokedAt: null, expiredAt: null };
  const grants = await modelsOf(transaction).SurvivalGrant.lockAll(lasting, transaction);
  for (const grant of grants) await revoke(grant, caller?.userId ?? null, transaction);
  const changes = grants.map((grant) => changeOf("revoked", grant, [grant]));
  await recordPermissionChanges(changes, caller, context, transaction);
  await notifyGrants("revoked", grants, context, transaction);
}

/** Deletes the grants of a deleted user and removes them from the servers. */
export async function deleteGrantsOf(
  userId: number,
  context: Pick<Context, "queue" | "config">,
  transaction: Transaction,
): Promise<void> {
  const { SurvivalGrant: Grant, SteamLink } = modelsOf(transaction);
  await lockServersShared(transaction);
  // A new grant locks the user's links, so this lock waits for grants in progress.
  const lock = transaction.LOCK.UPDATE;
  await SteamLink.findAll({ where: { userId }, order: ["steamId"], raw: true, transaction, lock });
  const grants = await Grant.lockAll({ userId }, transaction);
  if (grants.length === 0) return;
  await Grant.destroy({ where: { userId }, transaction });
  const ask = { names: ["permissions"], serverIds: serversOf(grants), reason: "grant" } as const;
  await requestSync(ask, context, transaction);
}

async function revoke(
  grant: SurvivalGrant,
  revokedBy: number | null,
  transaction: Transaction,
): Promise<void> {
  const { SurvivalGrant: Grant } = modelsOf(transaction);
  await Grant.update(
    { revokedAt: transactionStart(), revokedBy },
    { where: { id: grant.id }, transaction },
  );
}

async function lockGrant(id: number, transaction: Transaction): Promise<SurvivalGrant> {
  const grant = await modelsOf(transaction).SurvivalGrant.findOne({
    where: { id: matchClientId(id) },
    transaction,
    lock: transaction.LOCK.UPDATE,
  });
  if (!grant) throw notFoundError("Unknown grant");
  const isOver = grant.expiresAt !== null && grant.expiresAt <= (await readClock(transaction));
  if (grant.revokedAt === null && grant.expiredAt === null && !isOver) return grant;
  throw new AppError("grant_ended", "The grant has ended: create a new one");
}

async function checkValue(
  { kind, value }: NewGrant,
  { config }: Context,
  transaction: Transaction,
): Promise<void> {
  if (kind === "permission") {
    checkNode(value, "value", config.SURVIVAL_PERMISSION_DENY);
    return;
  }
  if (value === defaultGroup) {
    throw invalidFieldsError([
      { path: "value", message: `every player is already in the group ${value}` },
    ]);
  }
  const group = await modelsOf(transaction).SurvivalPermissionGroup.findOne({
    where: { name: value },
    attributes: ["id"],
    transaction,
    // Keep the group from being deleted.
    lock: transaction.LOCK.KEY_SHARE,
  });
  if (!group) throw invalidFieldsError([{ path: "value", message: `there is no group ${value}` }]);
}

/** Finds the player. @throws AppError missing if no Steam link of the user matches; 400 if several links match */
async function resolvePlayer(
  { steamId, userId }: NewGrant,
  transaction: Transaction,
): Promise<{ steamId: string; userId: number | null }> {
  if (userId === undefined) return { steamId: steamId as string, userId: null };
  const links = await modelsOf(transaction).SteamLink.findAll({
    where: { userId, ...(steamId !== undefined && { steamId }) },
    attributes: ["steamId"],
    raw: true,
    transaction,
    lock: transaction.LOCK.KEY_SHARE,
  });
  const [link] = links;
  if (!link) {
    throw notFoundError("The user has not linked this Steam account, or any Steam account");
  }
  if (links.length === 1) return { steamId: link.steamId, userId };
  const message = "the user has linked several Steam accounts: name one of them";
  throw invalidFieldsError([{ path: "steamId", message }]);
}

async function parseExpiry(
  expiresAt: string | null,
  transaction: Transaction,
): Promise<Date | null> {
  if (expiresAt === null) return null;
  const end = new Date(expiresAt);
  if (end > (await readClock(transaction))) return end;
  throw invalidFieldsError([{ path: "expiresAt", message: "must be in the future" }]);
}

interface RecordContext {
  readonly caller: Caller | null;
  readonly context: Pick<Context, "queue" | "config">;
  readonly transaction: Transaction;
}

const record = (
  verb: "granted" | "changed" | "revoked",
  grant: SurvivalGrant,
  scopes: PermissionAction["scopes"],
  { caller, context, transaction }: RecordContext,
): Promise<void> =>
  recordPermissionChange(changeOf(verb, grant, scopes), caller, context, transaction);

const changeOf = (
  verb: "granted" | "changed" | "revoked",
  { id, kind, steamId, value, scopeAll, serverIds, expiresAt }: SurvivalGrant,
  scopes: PermissionAction["scopes"],
): PermissionAction => {
  const scope = { all: scopeAll, serverIds };
  const detail = { kind, steamId, value, scope, expiresAt };
  return { verb, target: { type: "survival_grant", id }, detail, scopes };
};
