import { transactionStart } from "../../models/queries/clock.ts";
import type { ChatBot } from "../../models/site/chat-bot.ts";
import type { Caller } from "../platform/access/caller.ts";
import { recordActivity } from "../platform/activity/activity.ts";
import type { Context } from "../platform/context.ts";
import { sealText } from "../platform/crypto/sealed.ts";
import { inCallersTransaction, modelsOf } from "../platform/db/transaction.ts";

export const botTokenSealContext = "chat_bot|token";

export interface ChatBotChange {
  readonly enabled?: boolean;
  readonly guildId?: string | null;
  readonly announceChannelId?: string | null;
  /** Blank keeps the stored token, null deletes it. */
  readonly token?: string | null;
}

export const readChatBot = ({ models }: Pick<Context, "models">): Promise<ChatBot> =>
  models.ChatBot.findOne({ rejectOnEmpty: true });

/** Updates the chat bot's settings. Omitted fields keep their values. */
export const saveChatBot = (
  { token, ...fields }: ChatBotChange,
  caller: Caller,
  { sequelize, config }: Pick<Context, "sequelize" | "config">,
): Promise<ChatBot> =>
  inCallersTransaction(sequelize, async (transaction) => {
    const isKept = token === undefined || token === "";
    const tokenSealed = token ? sealText(token, botTokenSealContext, config.SECRETS_KEYS) : null;
    const { ChatBot } = modelsOf(transaction);
    await ChatBot.update(
      {
        ...fields,
        ...(!isKept && { tokenSealed }),
        updatedAt: transactionStart(),
        updatedBy: caller.userId,
      },
      { where: {}, transaction },
    );
    const detail = { ...fields, tokenChanged: !isKept };
    await recordActivity({ actor: caller, action: "site.bot_changed", detail }, transaction);
    return ChatBot.findOne({ rejectOnEmpty: true, transaction });
  });
