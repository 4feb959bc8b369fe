import type { SurvivalTitleText } from "../../../../models/survival/survival-title-text.ts";
import { recordActivity } from "../../../activity/activity.ts";
import type { Caller } from "../../../auth/caller/caller.ts";
import type { Context } from "../../../context.ts";
import { countChanged, rows } from "../../../db/rows.ts";
import { inTransaction } from "../../../db/transaction.ts";
import { askForPush } from "../../pushes/ask-for-push.ts";
import type { StatName } from "../../tallies/stat-names.ts";
import {
  plainTitle,
  statNames,
  titleCategories,
  type TitleCategory,
  titleOf,
} from "../title-categories.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     SurvivalTitleCategory:
 *       type: object
 *       additionalProperties: false
 *       required: [stat, label, unit, aggregate, ranked, defaultTitle, title, customised, updatedAt, updatedBy]
 *       properties:
 *         stat: { type: string, example: playersKilled }
 *         label: { type: string, example: Players killed }
 *         unit: { type: string, enum: [count, metres, seconds] }
 *         aggregate:
 *           type: string
 *           enum: [sum, max]
 *           description: How the figures of several worlds become one.
 *         ranked: { type: boolean }
 *         defaultTitle: { type: string, example: Murderer }
 *         title: { type: string, example: The Red Hand, description: As it is shown. }
 *         customised: { type: boolean, description: Whether it is another than the default. }
 *         updatedAt: { type: string, format: date-time, nullable: true }
 *         updatedBy: { type: string, nullable: true, example: robin }
 */
interface CategoryView extends TitleCategory {
  readonly stat: StatName;
  readonly title: string;
  readonly customised: boolean;
  readonly updatedAt: Date | null;
  readonly updatedBy: string | null;
}

export async function readCategories({
  sequelize,
}: Pick<Context, "sequelize">): Promise<CategoryView[]> {
  const texts = await rows<Written>(sequelize, readTexts);
  const textOf = new Map(texts.map((text) => [text.stat, text]));
  return statNames.map((stat) => viewCategory(stat, textOf.get(stat)));
}

interface Written extends Pick<SurvivalTitleText, "stat" | "title" | "updatedAt"> {
  readonly updatedBy: string | null;
}

const readTexts = `
  select text.stat, text.title, text.updated_at as "updatedAt", author.username as "updatedBy"
  from survival_title_texts text left join users author on author.id = text.updated_by`;

function viewCategory(stat: StatName, written: Written | undefined): CategoryView {
  return {
    stat,
    ...titleCategories[stat],
    title: titleOf(stat, written?.title),
    customised: Boolean(written?.title),
    updatedAt: written?.updatedAt ?? null,
    updatedBy: written?.updatedBy ?? null,
  };
}

/** Writes the title of a category; where nothing is left of the text, the default is back. */
export async function writeTitle(
  stat: StatName,
  text: string,
  caller: Caller,
  context: Context,
): Promise<CategoryView> {
  const title = plainTitle(text) || null;
  await inTransaction(context.sequelize, async (transaction) => {
    await countChanged(transaction, store, [stat, title, caller.userId]);
    const action = "survival.titles.category_changed";
    await recordActivity({ actor: caller, action, detail: { stat, title } }, transaction);
    const serverIds = await rows<{ serverId: number }>(transaction, readServersOf, [stat]);
    await askForPush(
      { names: ["titles"], serverIds: serverIds.map(({ serverId }) => serverId), reason: "titles" },
      context,
      transaction,
    );
  });
  const written = await rows<Written>(context.sequelize, `${readTexts} where text.stat = $1`, [
    stat,
  ]);
  return viewCategory(stat, written[0]);
}

const store = `
  insert into survival_title_texts (stat, title, updated_by) values ($1, $2, $3)
  on conflict (stat) do update
  set title = excluded.title, updated_by = excluded.updated_by, updated_at = clock_timestamp()`;

/** Servers with a rule that shows the category's own title. */
const readServersOf = `
  select distinct server_id as "serverId" from survival_title_rules
  where stat = $1 and text is null and enabled`;
