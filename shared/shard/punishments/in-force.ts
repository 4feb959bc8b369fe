import { Op, type Transaction } from "sequelize";

import type { Models } from "../../../models/index.ts";
import { clockNowPlus, clockNow } from "../../../models/queries/clock.ts";
import type { Punishment } from "../../../models/shard/punishment.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { accountKey } from "../owners/link-mirror.ts";

/** Finds the ban of an account that is in force now. */
export const findBanInForce = (
  account: string,
  { models }: { readonly models: Models },
): Promise<Punishment | null> =>
  models.Punishment.scope("inForce").findOne({ where: { accountKey: accountKey(account) } });

/** Finds the ban of an account that is in force now, and locks it until the transaction ends. */
export const lockBanInForce = (
  account: string,
  transaction: Transaction,
): Promise<Punishment | null> =>
  modelsOf(transaction)
    .Punishment.scope("inForce")
    .findOne({
      where: { accountKey: accountKey(account) },
      transaction,
      lock: transaction.LOCK.NO_KEY_UPDATE,
    });

/** Locks a punishment until the transaction ends, so that decisions about it are serialized. */
export const lockPunishment = (id: number, transaction: Transaction): Promise<Punishment> =>
  modelsOf(transaction).Punishment.findByPk(id, {
    transaction,
    lock: transaction.LOCK.NO_KEY_UPDATE,
    rejectOnEmpty: true,
  });

/** How long the shard may take to execute a command before its answer or event arrives. */
const pendingMs = 10 * 60 * 1000;

/**
 * Returns true if a ban of the account was sent to the shard after `since` and the outcome of the command is
 * unknown.
 */
export async function isBanPending(
  account: string,
  since: Date,
  { models }: { readonly models: Models },
  transaction: Transaction | null = null,
): Promise<boolean> {
  const after = { [Op.and]: [{ [Op.gt]: since }, { [Op.gt]: clockNowPlus(-pendingMs) }] };
  const underWay = models.Punishment.scope(["unconfirmed", "unended"]);
  const where = { accountKey: accountKey(account), issuedAt: after };
  return (await underWay.count({ where, transaction })) > 0;
}

/** Ends a ban that this site lifted. */
export async function endPunishment(id: number, transaction: Transaction): Promise<void> {
  const { Punishment } = modelsOf(transaction);
  const now = { endedAt: clockNow() };
  await Punishment.scope("unended").update(now, { where: { id }, transaction });
}

/** Ends all bans of an account that were issued up to `until`, by any issuer. Used when this site lifts a ban. */
export async function endBansInForce(
  account: string,
  until: Date,
  transaction: Transaction,
): Promise<void> {
  const { Punishment } = modelsOf(transaction);
  const where = { accountKey: accountKey(account), issuedAt: { [Op.lte]: until } };
  await Punishment.scope("standing").update({ endedAt: clockNow() }, { where, transaction });
}
