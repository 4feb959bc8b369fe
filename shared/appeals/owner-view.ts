import type { AppealMessage } from "../../models/appeals/appeal-message.ts";
import type { Appeal } from "../../models/appeals/appeal.ts";
import type { Punishment } from "../../models/shard/punishment.ts";
import type { Context } from "../platform/context.ts";

export const viewPunishment = ({ id, kind, reason, issuedAt, expiresAt }: Punishment) => ({
  id,
  kind,
  reason,
  issued_at: issuedAt,
  expires_at: expiresAt,
});

export const viewOwnAppeal = (appeal: Appeal) => ({
  id: appeal.id,
  game: "shard",
  account: appeal.account,
  punishment: viewPunishment(punishmentOf(appeal)),
  reason: appeal.reason,
  state: appeal.state,
  assignee: null,
  created_at: appeal.createdAt,
  updated_at: appeal.updatedAt,
  decided_at: appeal.decidedAt,
  decision_note: appeal.decisionNote,
  messages_count: appeal.messagesCount,
});

export const viewOwnerMessages = (messages: readonly AppealMessage[]) =>
  messages.map((message, index) => viewOwnerMessage(message, index + 1));

/** @param number the position among the messages that the owner sees. Ids would reveal that notes exist. */
export const viewOwnerMessage = ({ author, body, createdAt }: AppealMessage, number: number) => ({
  id: number,
  author,
  body,
  created_at: createdAt,
});

/** @throws if the appeal was read without its punishment */
export function punishmentOf({ punishment }: Appeal): Punishment {
  if (!punishment) throw new Error("an appeal was read without its punishment");
  return punishment;
}

/** Returns a user's appeals and their messages as the owner sees them. */
export async function readOwnAppeals(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  const appeals = await models.Appeal.findAll({
    where: { userId },
    include: [{ association: "punishment" }],
    order: ["id"],
  });
  const messages = await models.AppealMessage.scope("toOwner").findAll({
    where: { appealId: appeals.map(({ id }) => id) },
    order: ["id"],
  });
  const byAppeal = Map.groupBy(messages, ({ appealId }) => appealId);
  return appeals.map((appeal) => ({
    appeal: viewOwnAppeal(appeal),
    messages: viewOwnerMessages(byAppeal.get(appeal.id) ?? []),
  }));
}
