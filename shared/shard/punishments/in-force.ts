import { Op, type Transaction } from "sequelize";

import type { Models } from "../../../models/index.ts";
import { clockAfter, clockNow } from "../../../models/queries/clock.ts";
import type { Punishment } from "../../../models/shard/punishment.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { accountKey } from "../owners/link-mirror.ts";

/** The punishment that shuts an account out now; null when none is known. */
export const findInForce = (
  account: string,
  { models }: { readonly models: Models },
): Promise<Punishment | null> =>
  models.Punishment.scope("inForce").findOne({ where: { accountKey: accountKey(account) } });

/** The same, held until the transaction ends. */
export const lockInForce = (
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

/** Holds a punishment until the transaction ends: what is decided of it takes turns. */
export const lockPunishment = (id: number, transaction: Transaction): Promise<Punishment> =>
  modelsOf(transaction).Punishment.findByPk(id, {
    transaction,
    lock: transaction.LOCK.NO_KEY_UPDATE,
    rejectOnEmpty: true,
  });

/** How long the shard may take to carry a command out; its answer, or the stream, tells of it then. */
const underWayMs = 10 * 60 * 1000;

/** Whether a ban of the account was sent to the shard after a time, and nobody knows yet of its end. */
export async function isBanUnderWay(
  account: string,
  since: Date,
  { models }: { readonly models: Models },
  transaction: Transaction | null = null,
): Promise<boolean> {
  const after = { [Op.and]: [{ [Op.gt]: since }, { [Op.gt]: clockAfter(-underWayMs) }] };
  const underWay = models.Punishment.scope(["unconfirmed", "unended"]);
  const where = { accountKey: accountKey(account), issuedAt: after };
  return (await underWay.count({ where, transaction })) > 0;
}

/** A ban was lifted by us. */
export async function endPunishment(id: number, transaction: Transaction): Promise<void> {
  const { Punishment } = modelsOf(transaction);
  const now = { endedAt: clockNow() };
  await Punishment.scope("unended").update(now, { where: { id }, transaction });
}

/** What shut an account out at a time was lifted by us, whoever gave it. */
export async function endInForce(
  account: string,
  until: Date,
  transaction: Transaction,
): Promise<void> {
  const { Punishment } = modelsOf(transaction);
  const where = { accountKey: accountKey(account), issuedAt: { [Op.lte]: until } };
  await Punishment.scope("standing").update({ endedAt: clockNow() }, { where, transaction });
}
