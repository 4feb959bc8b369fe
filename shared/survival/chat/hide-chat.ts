import { matchClientId } from "../../../models/queries/any-id.ts";
import { clockNow } from "../../../models/queries/clock.ts";
import type { SurvivalEvent } from "../../../models/survival/survival-event.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { notify } from "../../platform/notify/channels.ts";
import type { SurvivalContext } from "../context.ts";
import { refuseOwnSteamAccount } from "../steam-links.ts";

interface ChatMessageId {
  readonly serverId: number;
  readonly eventId: number;
}

const chatMessageWhere = ({ serverId, eventId }: ChatMessageId) => ({
  id: matchClientId(eventId),
  serverId: matchClientId(serverId),
  kind: "player.chat",
});

const unknownMessageError = () => notFoundError("Unknown line of chat");

/** @throws AppError missing unless the event is a chat message */
export async function requireChatMessage(
  target: ChatMessageId,
  { models }: Pick<Context, "models">,
): Promise<void> {
  if ((await models.SurvivalEvent.count({ where: chatMessageWhere(target) })) === 0) {
    throw unknownMessageError();
  }
}

/**
 * Hides a chat message from the feed, or shows it again. Staff always see it among the events.
 * @throws AppError missing if the event is no chat message; own_account if the sender's Steam account is or was
 * the caller's
 */
export const setChatHidden = (
  { serverId, eventId }: ChatMessageId,
  hidden: boolean,
  caller: Caller,
  context: SurvivalContext,
): Promise<SurvivalEvent> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const event = await modelsOf(transaction).SurvivalEvent.findOne({
      where: chatMessageWhere({ serverId, eventId }),
      lock: transaction.LOCK.NO_KEY_UPDATE,
      transaction,
    });
    if (!event) throw unknownMessageError();
    const steamId = String(event.payload["steamId"]);
    const refusal = "Another staff member must decide on your own messages";
    await refuseOwnSteamAccount({ steamId, refusal }, caller, transaction);
    if ((event.hiddenAt !== null) === hidden) return event;
    await event.update(
      { hiddenAt: hidden ? clockNow() : null, hiddenBy: hidden ? caller.userId : null },
      { transaction },
    );
    await notify("survival_states", { serverId, chat: true }, transaction);
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
