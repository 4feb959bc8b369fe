import { Op, type Transaction } from "sequelize";

import type { Appeal } from "../../models/appeals/appeal.ts";
import { clockNowPlus } from "../../models/queries/clock.ts";
import type { Caller } from "../platform/access/caller.ts";
import { recordActivity } from "../platform/activity/activity.ts";
import { inCallersTransaction, modelsOf } from "../platform/db/transaction.ts";
import { AppError, unauthenticatedError } from "../platform/errors/errors.ts";
import { readSetting } from "../platform/settings/settings.ts";
import type { ShardContext } from "../shard/context.ts";
import { findLink } from "../shard/owners/own-links.ts";
import { lockBanInForce } from "../shard/punishments/in-force.ts";
import { findOwnAppeal, lockAppealUsers } from "./find-appeal.ts";

export interface NewAppeal {
  readonly account: string;
  readonly reason: string;
}

/** How long a rejection blocks another appeal against the same punishment. */
const coolDownMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Opens an appeal against the current ban of a linked game account.
 * @throws AppError 403 if the account is not linked, 409 without a punishment or if an appeal is open, 429
 * after a recent rejection or too many appeals
 */
export async function openAppeal(
  { account, reason }: NewAppeal,
  { userId }: Caller,
  context: ShardContext,
): Promise<Appeal> {
  if (!(await readSetting("appeals_enabled", context))) {
    throw new AppError("appeals_disabled", "The site does not accept appeals at present");
  }
  const link = await findLink(userId, account, context);
  if (!link) throw new AppError("account_not_linked", "This account is not linked to you");
  return inCallersTransaction(context.sequelize, async (transaction) => {
    if (!(await lockAppealUsers({ ownerId: userId }, transaction))) throw unauthenticatedError();
    // Lock the ban until the transaction ends, so that only one of several concurrent appeals is opened.
    const punishment = await lockBanInForce(account, transaction);
    if (!punishment) {
      throw new AppError("no_punishment", "No punishment of this account is known");
    }
    await refuseOpenAppeal(punishment.id, transaction);
    await refuseCoolingDown(punishment.id, transaction);
    const appeal = await modelsOf(transaction).Appeal.create(
      { ...unanswered, userId, punishmentId: punishment.id, account: link.account, reason },
      { transaction },
    );
    await context.rateLimits.countUseWithin("appeal", String(userId), transaction);
    const target = { type: "appeal", id: appeal.id };
    const detail = { account: link.account, punishment: punishment.id };
    const line = { actorId: userId, action: "appeal.opened", target, detail };
    await recordActivity(line, transaction);
    // Read the appeal in the transaction: it may be deleted with its owner's account right afterwards.
    return findOwnAppeal({ id: appeal.id, userId }, context, transaction);
  });
}

const unanswered = {
  assigneeId: null,
  notedAt: null,
  decidedAt: null,
  decidedBy: null,
  decisionNote: null,
  unbanStatus: null,
  unbanReason: null,
};

async function refuseOpenAppeal(punishmentId: number, transaction: Transaction): Promise<void> {
  const { Appeal } = modelsOf(transaction);
  const open = await Appeal.scope("open").findOne({ where: { punishmentId }, transaction });
  if (!open) return;
  throw new AppError("appeal_exists", "An appeal against this punishment is already open");
}

async function refuseCoolingDown(punishmentId: number, transaction: Transaction): Promise<void> {
  const rejected = await modelsOf(transaction).Appeal.findOne({
    where: { punishmentId, state: "rejected", decidedAt: { [Op.gt]: clockNowPlus(-coolDownMs) } },
    order: [["decidedAt", "DESC"]],
    transaction,
  });
  if (!rejected?.decidedAt) return;
  const leftMs = rejected.decidedAt.getTime() + coolDownMs - Date.now();
  throw new AppError("appeal_cooling_down", "An appeal against this punishment was rejected", {
    retryAfter: Math.max(1, Math.ceil(leftMs / 1000)),
  });
}
