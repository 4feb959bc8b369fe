import type { Transaction } from "sequelize";

import type { Values } from "../../facts/param.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";

/**
 * Brings an effect on the site's own rows about once for a step, however many attempts it takes: the
 * note that it came about is committed with it. A later attempt is answered what the first one was.
 */
export const onceForStep = (
  idempotencyKey: string,
  { sequelize }: Pick<Context, "sequelize">,
  bringAbout: (transaction: Transaction) => Promise<Values>,
): Promise<Values> =>
  inTransaction(sequelize, async (transaction) => {
    const { EventEffect } = modelsOf(transaction);
    const begun = await EventEffect.beginOnce(idempotencyKey, transaction);
    if (!begun) return (await EventEffect.findByPk(idempotencyKey, { transaction }))?.result ?? {};
    const result = await bringAbout(transaction);
    await begun.update({ result: { ...result } }, { transaction });
    return result;
  });
