import { type Includeable, Op, type Transaction } from "sequelize";

import type { AppealMessage } from "../../models/appeals/appeal-message.ts";
import { type Appeal, type AppealState, appealStates } from "../../models/appeals/appeal.ts";
import { matchClientId } from "../../models/queries/any-id.ts";
import type { Caller } from "../platform/access/caller.ts";
import type { Context } from "../platform/context.ts";
import { modelsOf } from "../platform/db/transaction.ts";
import { AppError, notFoundError } from "../platform/errors/errors.ts";

type Stores = Pick<Context, "models">;

const named = { attributes: ["id", "username"] };

const forOwner: Includeable[] = [{ association: "punishment" }];

const forStaff: Includeable[] = [
  { association: "punishment", include: [{ association: "issuer", ...named }] },
  { association: "user", ...named },
  { association: "assignee", ...named },
];

export const writerInclude: Includeable[] = [{ association: "writer", ...named }];

/** Finds a user's own appeal. @throws AppError not_found, also for another user's appeal */
export async function findOwnAppeal(
  { id, userId }: { readonly id: number; readonly userId: number },
  { models }: Stores,
  transaction: Transaction | null = null,
): Promise<Appeal> {
  const where = { id: matchClientId(id), userId };
  const appeal = await models.Appeal.findOne({ where, include: forOwner, transaction });
  if (!appeal) throw unknown();
  return appeal;
}

/** Finds any appeal, with the names of users that staff see. @throws AppError not_found */
export async function findAppeal(
  id: number,
  { models }: Stores,
  transaction: Transaction | null = null,
): Promise<Appeal> {
  const where = { id: matchClientId(id) };
  const appeal = await models.Appeal.findOne({ where, include: forStaff, transaction });
  if (!appeal) throw unknown();
  return appeal;
}

const unknown = (): AppError => notFoundError("Unknown appeal");

/** Locks an appeal until the transaction ends. @throws AppError not_found */
export async function lockAppeal(id: number, transaction: Transaction): Promise<Appeal> {
  const lock = transaction.LOCK.NO_KEY_UPDATE;
  const appeal = await modelsOf(transaction).Appeal.findByPk(id, { transaction, lock });
  if (!appeal) throw unknown();
  return appeal;
}

/** @throws AppError appeal_closed if the appeal was decided or withdrawn */
export function requireOpenAppeal({ state }: Pick<Appeal, "state">): void {
  if (state === "open" || state === "assigned") return;
  throw new AppError("appeal_closed", `The appeal is ${state}`);
}

interface Paging {
  readonly limit: number;
  readonly offset: number;
}

/** Lists a user's own appeals, newest first. */
export const listOwnAppeals = (
  userId: number,
  { limit, offset }: Paging,
  { models }: Stores,
): Promise<Appeal[]> =>
  models.Appeal.findAll({
    where: { userId },
    include: forOwner,
    order: [["id", "DESC"]],
    limit,
    offset,
  });

export interface AppealSearch extends Paging {
  readonly state?: AppealState | undefined;
  /** A user's id; `none` finds appeals without an assignee. */
  readonly assignee?: number | "none" | undefined;
}

/** Lists appeals for staff, oldest first, with the number of appeals in each state. */
export async function searchAppeals(
  { state, assignee, limit, offset }: AppealSearch,
  { models }: Stores,
): Promise<{ appeals: Appeal[]; counts: Record<AppealState, number> }> {
  const of = assignee === "none" ? { [Op.is]: null } : assignee && matchClientId(assignee);
  const [appeals, counts] = await Promise.all([
    models.Appeal.findAll({
      where: { ...(state && { state }), ...(of && { assigneeId: of }) },
      include: forStaff,
      order: [["id", "ASC"]],
      limit,
      offset,
    }),
    countStates({ models }),
  ]);
  return { appeals, counts };
}

async function countStates({ models }: Stores): Promise<Record<AppealState, number>> {
  const found = await models.Appeal.count({ group: ["state"] });
  const counted = new Map(found.map(({ state, count }) => [state, count]));
  return Object.fromEntries(
    appealStates.map((state) => [state, counted.get(state) ?? 0]),
  ) as Record<AppealState, number>;
}

const oldestFirst: [string, string][] = [["id", "ASC"]];

/** Lists the messages that the owner of an appeal may read. */
export const listOwnerMessages = (appealId: number, { models }: Stores): Promise<AppealMessage[]> =>
  models.AppealMessage.scope("toOwner").findAll({ where: { appealId }, order: oldestFirst });

/** Lists messages and internal notes with their writers. */
export const listStaffMessages = (appealId: number, { models }: Stores): Promise<AppealMessage[]> =>
  models.AppealMessage.findAll({
    where: { appealId },
    include: writerInclude,
    order: oldestFirst,
  });

interface Parties {
  readonly ownerId: number;
  /** The acting staff member; undefined if the owner acts. */
  readonly caller?: Caller;
}

/**
 * Locks the users of an action before punishments and appeals. Deleting a user locks in the same order:
 * users, punishments, appeals. Another order would deadlock.
 * @returns true if the owner still exists
 * @throws AppError unauthenticated or forbidden if the caller may no longer act
 */
export async function lockAppealUsers(
  { ownerId, caller }: Parties,
  transaction: Transaction,
): Promise<boolean> {
  await caller?.holdRights(transaction);
  const lock = transaction.LOCK.KEY_SHARE;
  const owner = { attributes: ["id"], transaction, lock };
  return (await modelsOf(transaction).User.findByPk(ownerId, owner)) !== null;
}
