import { Op, type Transaction } from "sequelize";

import { clockNow } from "../../../models/clock.ts";
import type { Models } from "../../../models/index.ts";
import type { Punishment } from "../../../models/shard/punishment.ts";
import { modelsOf } from "../../db/transaction.ts";
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

/** A ban was lifted by us. */
export async function endPunishment(id: number, transaction: Transaction): Promise<void> {
  await modelsOf(transaction).Punishment.update(
    { endedAt: clockNow() },
    { where: { id, endedAt: null }, transaction },
  );
}

/** What shut an account out at a time was lifted by us, whoever gave it. */
export async function endInForce(
  account: string,
  until: Date,
  transaction: Transaction,
): Promise<void> {
  await modelsOf(transaction).Punishment.update(
    { endedAt: clockNow() },
    {
      where: {
        accountKey: accountKey(account),
        confirmedAt: { [Op.ne]: null },
        endedAt: null,
        issuedAt: { [Op.lte]: until },
      },
      transaction,
    },
  );
}
