import type { UnreadAddress } from "../../models/ops/unread-address.ts";
import { startAfter, transactionStart } from "../../models/queries/clock.ts";
import type { Context } from "../platform/context.ts";
import { inForgettableTransaction } from "../platform/db/transaction.ts";

type Unread = Readonly<Pick<UnreadAddress, "form" | "proxy" | "seenAt">>;

/** Records for the doctor that a trusted proxy sent an invalid address. One row per form. */
export function recordUnread(
  { form, proxy }: Pick<Unread, "form" | "proxy">,
  { sequelize, models }: Pick<Context, "sequelize" | "models">,
): Promise<void> {
  return inForgettableTransaction(sequelize, async (transaction) => {
    const seenAt = transactionStart();
    await models.UnreadAddress.upsert({ form, proxy, seenAt }, { transaction });
  });
}

const dayMs = 86_400_000;

export const readUnread = ({ models }: Pick<Context, "models">): Promise<Unread[]> =>
  models.UnreadAddress.scope({ method: ["seenAfter", startAfter(-dayMs)] }).findAll({
    attributes: ["form", "proxy", "seenAt"],
    order: ["form"],
    raw: true,
  });
