import { clockNow } from "../../../../models/queries/clock.ts";
import type { SurvivalTitleText } from "../../../../models/survival/survival-title-text.ts";
import type { Caller } from "../../../platform/access/caller.ts";
import { recordActivity } from "../../../platform/activity/activity.ts";
import { hashOf, requireBase } from "../../../platform/based-on.ts";
import type { Context } from "../../../platform/context.ts";
import { lockSubject } from "../../../platform/db/lock.ts";
import { inTransaction, modelsOf } from "../../../platform/db/transaction.ts";
import type { SurvivalContext } from "../../context.ts";
import type { StatName } from "../../kinds/stat-names.ts";
import { askForPush } from "../../pushes/ask-for-push.ts";
import {
  plainTitle,
  statNames,
  titleCategories,
  type TitleCategory,
  titleOf,
} from "../title-categories.ts";

interface CategoryView extends TitleCategory {
  readonly stat: StatName;
  readonly title: string;
  readonly customised: boolean;
  readonly revision: string;
  readonly updatedAt: Date | null;
  readonly updatedBy: string | null;
}

export async function readCategories({ models }: Pick<Context, "models">): Promise<CategoryView[]> {
  const texts = await models.SurvivalTitleText.findAll(written);
  const textOf = new Map(texts.map((text) => [text.stat, text]));
  return statNames.map((stat) => viewCategory(stat, textOf.get(stat)));
}

const written = {
  attributes: ["stat", "title", "updatedAt"],
  include: { association: "changedBy", attributes: ["username"] },
};

function viewCategory(stat: StatName, text: SurvivalTitleText | null | undefined): CategoryView {
  return {
    stat,
    ...titleCategories[stat],
    title: titleOf(stat, text?.title),
    customised: Boolean(text?.title),
    revision: hashOf(text?.title ?? null),
    updatedAt: text?.updatedAt ?? null,
    updatedBy: text?.changedBy?.username ?? null,
  };
}

/** Writes the title of a category; where nothing is left of the text, the default is back. */
export async function writeTitle(
  stat: StatName,
  text: string,
  caller: Caller,
  context: SurvivalContext,
): Promise<CategoryView> {
  const title = plainTitle(text) || null;
  return inTransaction(context.sequelize, async (transaction) => {
    const { SurvivalTitleText, SurvivalTitleRule } = modelsOf(transaction);
    // The category may have no row yet, which nobody could lock.
    await lockSubject("titles", stat, transaction);
    const stored = await SurvivalTitleText.findByPk(stat, { transaction });
    requireBase(hashOf(stored?.title ?? null));
    const change = { stat, title, updatedBy: caller.userId, updatedAt: clockNow() };
    await SurvivalTitleText.upsert(change, { transaction });
    const action = "survival.titles.category_changed";
    const detail = { stat, customised: title !== null };
    await recordActivity({ actor: caller, action, detail }, transaction);
    const rules = await SurvivalTitleRule.scope("inForce").findAll({
      where: { stat, text: null },
      attributes: ["serverId"],
      group: ["serverId"],
      transaction,
    });
    // Those servers show the category's own title.
    const serverIds = rules.map(({ serverId }) => serverId);
    await askForPush({ names: ["titles"], serverIds, reason: "titles" }, context, transaction);
    const changed = await SurvivalTitleText.findByPk(stat, { ...written, transaction });
    return viewCategory(stat, changed);
  });
}
