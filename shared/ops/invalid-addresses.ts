import type { InvalidForwardedAddress } from "../../models/ops/invalid-forwarded-address.ts";
import { transactionStartPlus, transactionStart } from "../../models/queries/clock.ts";
import type { Context } from "../platform/context.ts";
import { inAsyncCommitTransaction } from "../platform/db/transaction.ts";

type InvalidAddress = Readonly<Pick<InvalidForwardedAddress, "form" | "proxy" | "seenAt">>;

/** Records for the doctor command that a trusted proxy sent an invalid address, in one row per kind of fault. */
export function recordInvalidAddress(
  { form, proxy }: Pick<InvalidAddress, "form" | "proxy">,
  { sequelize, models }: Pick<Context, "sequelize" | "models">,
): Promise<void> {
  return inAsyncCommitTransaction(sequelize, async (transaction) => {
    const seenAt = transactionStart();
    await models.UnreadAddress.upsert({ form, proxy, seenAt }, { transaction });
  });
}

const dayMs = 86_400_000;

export const readInvalidAddresses = ({
  models,
}: Pick<Context, "models">): Promise<InvalidAddress[]> =>
  models.UnreadAddress.scope({ method: ["seenAfter", transactionStartPlus(-dayMs)] }).findAll({
    attributes: ["form", "proxy", "seenAt"],
    order: ["form"],
    raw: true,
  });
