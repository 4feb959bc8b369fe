import type { Transaction } from "sequelize";

import { transactionStart } from "../../../../models/queries/clock.ts";
import type { SurvivalPermissionGroup } from "../../../../models/survival/permissions/survival-permission-group.ts";
import type { Caller } from "../../../platform/access/caller.ts";
import { requireBaseRevision } from "../../../platform/base-revision.ts";
import { takeTransactionLock } from "../../../platform/db/lock.ts";
import { inCallersTransaction, modelsOf } from "../../../platform/db/transaction.ts";
import { AppError, invalidFieldsError, notFoundError } from "../../../platform/errors/errors.ts";
import type { SurvivalContext } from "../../context.ts";
import { lockServersShared } from "../../server-locks.ts";
import { findGroupFaults } from "../group-tree.ts";
import { checkNodes } from "../nodes.ts";
import { groupRevision } from "../revisions.ts";
import { allServers, toStoredScope } from "../scopes.ts";
import type { ServerScope } from "../wanted.ts";
import { recordPermissionChange, expireGrants, notifyGrants } from "./changes.ts";

/** The fields to change. Omitted fields keep their values. */
export interface GroupChange {
  readonly name?: string;
  readonly title?: string;
  readonly rank?: number;
  readonly parent?: string | null;
  readonly permissions?: readonly string[];
  readonly scope?: ServerScope;
}

export type NewGroup = GroupChange & { readonly name: string };

/** @throws AppError name_taken; or naming each invalid field */
export const createGroup = (
  given: NewGroup,
  caller: Caller,
  context: SurvivalContext,
): Promise<number> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const { groups, held } = await lockGroups(transaction);
    if (groups.some(({ name }) => name === given.name)) throw nameTakenError(given.name);
    const group = modelsOf(transaction).SurvivalPermissionGroup.build({
      name: given.name,
      parent: null,
      serverIds: [],
      updatedBy: null,
    });
    const all = { groups: [...groups, group], held, deny: context.config.SURVIVAL_PERMISSION_DENY };
    applyGroupChange(group, { scope: allServers, ...given }, all);
    await save(group, caller, transaction);
    await recordPermissionChange(
      { verb: "created", target: targetOf(group), detail: { ...given }, scopes: [group] },
      caller,
      context,
      transaction,
    );
    return group.id;
  });

/** @throws AppError missing; name_taken; group_protected; or naming each invalid field */
export const changeGroup = (
  id: number,
  change: GroupChange,
  caller: Caller,
  context: SurvivalContext,
): Promise<void> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const { groups, held } = await lockGroups(transaction);
    const group = findGroupById(groups, id);
    requireBaseRevision(groupRevision(group));
    const before = { name: group.name, scopeAll: group.scopeAll, serverIds: group.serverIds };
    refuseProtected(group, change);
    const isTaken = groups.some((other) => other !== group && other.name === change.name);
    if (change.name !== undefined && isTaken) throw nameTakenError(change.name);
    const children = groups.filter(({ parent }) => parent === before.name);
    if (change.name !== undefined) {
      group.name = change.name;
      for (const child of children) child.parent = change.name;
    }
    const all = { groups, held, deny: context.config.SURVIVAL_PERMISSION_DENY };
    applyGroupChange(group, change, all);
    await save(group, caller, transaction);
    if (group.name !== before.name) await rename(before.name, group.name, transaction);
    const scopes = [before, group, ...(group.name === before.name ? [] : children)];
    const detail = { name: group.name, ...change };
    await recordPermissionChange(
      { verb: "changed", target: targetOf(group), detail, scopes },
      caller,
      context,
      transaction,
    );
  });

/**
 * Deletes a group. Its child groups lose their parent, and its members are notified.
 * @returns detached is the number of child groups
 * @throws AppError missing; group_protected
 */
export async function deleteGroup(
  id: number,
  caller: Caller,
  context: SurvivalContext,
): Promise<{ id: number; detached: number }> {
  await expireGrants(context);
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const { groups } = await lockGroups(transaction);
    const group = findGroupById(groups, id);
    requireBaseRevision(groupRevision(group));
    if (group.protected) throw groupProtectedError();
    const { SurvivalPermissionGroup: Group, SurvivalGrant } = modelsOf(transaction);
    const children = groups.filter(({ parent }) => parent === group.name);
    await Group.update({ parent: null }, { where: { parent: group.name }, transaction });
    const where = membershipsOf(group.name);
    await SurvivalGrant.lockAll(where, transaction);
    const [, left] = await SurvivalGrant.update(
      { revokedAt: transactionStart(), revokedBy: caller.userId },
      { where, returning: true, transaction },
    );
    await group.destroy({ transaction });
    const { name } = group;
    const scopes = [group, ...children];
    await recordPermissionChange(
      { verb: "deleted", target: targetOf(group), detail: { name }, scopes },
      caller,
      context,
      transaction,
    );
    await notifyGrants("revoked", left, context, transaction);
    return { id: group.id, detached: children.length };
  });
}

const targetOf = ({ id }: SurvivalPermissionGroup) =>
  ({ type: "survival_permission_group", id }) as const;

const membershipsOf = (name: string) =>
  ({ kind: "membership", value: name, revokedAt: null, expiredAt: null }) as const;

/** Locks all groups, because a change must be checked against the whole tree. */
async function lockGroups(transaction: Transaction): Promise<Omit<GroupContext, "deny">> {
  const lockedServerIds = await lockServersShared(transaction);
  await takeTransactionLock("permissionGroups", transaction);
  const groups = await modelsOf(transaction).SurvivalPermissionGroup.findAll({
    order: ["name"],
    transaction,
    // This lock blocks new memberships.
    lock: transaction.LOCK.UPDATE,
  });
  return { groups, held: lockedServerIds };
}

function findGroupById(
  groups: readonly SurvivalPermissionGroup[],
  id: number,
): SurvivalPermissionGroup {
  const group = groups.find((one) => one.id === id);
  if (!group) throw notFoundError("Unknown group");
  return group;
}

const nameTakenError = (name: string): AppError =>
  new AppError("name_taken", `A group ${name} already exists`);

const groupProtectedError = (): AppError =>
  new AppError("group_protected", "Groups of the game can be neither renamed nor deleted");

/** The game defines its own groups. The site changes only their permissions. */
function refuseProtected(group: SurvivalPermissionGroup, change: GroupChange): void {
  if (group.protected && change.name !== undefined && change.name !== group.name) {
    throw groupProtectedError();
  }
  if (group.managed) return;
  const own = (["title", "rank", "parent"] as const).filter(
    (field) => change[field] !== undefined && change[field] !== group[field],
  );
  if (own.length === 0) return;
  throw invalidFieldsError(
    own.map((path) => ({ path, message: `${path} is set by the game and cannot be changed` })),
  );
}

interface GroupContext {
  /** All groups, including the group to change. */
  readonly groups: readonly SurvivalPermissionGroup[];
  /** Ids of all existing servers. */
  readonly held: ReadonlySet<number>;
  readonly deny: readonly string[];
}

function applyGroupChange(
  group: SurvivalPermissionGroup,
  { title, rank, parent, permissions, scope }: GroupChange,
  { groups, held, deny }: GroupContext,
): void {
  if (permissions) {
    checkNodes(permissions, "permissions", deny);
    group.permissions = [...new Set(permissions)].toSorted();
  }
  if (scope) group.set(toStoredScope(scope, held));
  group.set({
    ...(title !== undefined && { title }),
    ...(rank !== undefined && { rank }),
    ...(parent !== undefined && { parent }),
  });
  const faults = findGroupFaults(groups);
  if (faults.length === 0) return;
  throw invalidFieldsError(
    faults.map(({ name, message }) => ({
      path: "parent",
      message: name === group.name ? message : `${name}: ${message}`,
    })),
  );
}

async function save(
  group: SurvivalPermissionGroup,
  caller: Caller,
  transaction: Transaction,
): Promise<void> {
  group.updatedBy = caller.userId;
  await group.save({ transaction });
  await modelsOf(transaction).SurvivalPermissionGroup.update(
    { updatedAt: transactionStart() },
    { where: { id: group.id }, transaction },
  );
}

/** Renames the group in its child groups and memberships. */
async function rename(from: string, to: string, transaction: Transaction): Promise<void> {
  const { SurvivalPermissionGroup: Group, SurvivalGrant } = modelsOf(transaction);
  await Group.update({ parent: to }, { where: { parent: from }, transaction });
  const where = membershipsOf(from);
  await SurvivalGrant.lockAll(where, transaction);
  await SurvivalGrant.update({ value: to }, { where, transaction });
}
