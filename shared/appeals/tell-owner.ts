import type { Transaction } from "sequelize";

import type { Appeal } from "../../models/appeals/appeal.ts";
import { transactionStart } from "../../models/queries/clock.ts";
import { tell } from "../facts/tell.ts";
import type { Context } from "../platform/context.ts";

/** Staff did something about an appeal that its owner sees, and is told by a push message. */
export async function tellOwner(
  appeal: Appeal,
  transaction: Transaction,
  context: Pick<Context, "queue" | "log">,
): Promise<void> {
  await appeal.update({ updatedAt: transactionStart() }, { transaction });
  const { id, userId, state, messagesCount } = appeal;
  const key = `appeal:${id}:${state}:${messagesCount}`;
  const announcements = [{ stream: "appeal.update", ref: String(id), key, userId } as const];
  await tell({ announcements }, { within: transaction, context });
}
