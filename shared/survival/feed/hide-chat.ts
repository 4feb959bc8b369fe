import { anyId } from "../../../models/any-id.ts";
import { clockNow } from "../../../models/clock.ts";
import type { SurvivalEvent } from "../../../models/survival/survival-event.ts";
import { recordActivity } from "../../activity/activity.ts";
import type { Caller } from "../../auth/caller/caller.ts";
import type { Context } from "../../context.ts";
import { inTransaction, modelsOf } from "../../db/transaction.ts";
import { missing } from "../../errors.ts";

interface Target {
  readonly serverId: number;
  readonly eventId: number;
}

const lineOf = ({ serverId, eventId }: Target) => ({
  id: anyId(eventId),
  serverId: anyId(serverId),
  kind: "player.chat",
});

const unknownLine = () => missing("Unknown line of chat");

/** @throws AppError missing for what is no line of chat */
export async function requireChat(
  target: Target,
  { models }: Pick<Context, "models">,
): Promise<void> {
  if ((await models.SurvivalEvent.count({ where: lineOf(target) })) === 0) throw unknownLine();
}

/**
 * Takes what a player said out of the feed, or puts it back; staff go on finding it among the events.
 * @throws AppError missing for what is no line of chat
 */
export const hideChat = (
  { serverId, eventId }: Target,
  hidden: boolean,
  caller: Caller,
  context: Context,
): Promise<SurvivalEvent> =>
  inTransaction(context.sequelize, async (transaction) => {
    const event = await modelsOf(transaction).SurvivalEvent.findOne({
      where: lineOf({ serverId, eventId }),
      lock: transaction.LOCK.NO_KEY_UPDATE,
      transaction,
    });
    if (!event) throw unknownLine();
    if ((event.hiddenAt !== null) === hidden) return event;
    await event.update(
      { hiddenAt: hidden ? clockNow() : null, hiddenBy: hidden ? caller.userId : null },
      { transaction },
    );
    await recordActivity(
      {
        actor: caller,
        action: `survival.chat.${hidden ? "hidden" : "shown"}`,
        target: { type: "survival_server", id: serverId },
        detail: { eventId },
      },
      transaction,
    );
    return event.reload({ transaction });
  });
