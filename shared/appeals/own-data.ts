import type { Context } from "../platform/context.ts";
import { viewOwnAppeal, viewOwnerMessages } from "./owner-view.ts";

/** A user's appeals with what was said of them, as their owner sees them. */
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
