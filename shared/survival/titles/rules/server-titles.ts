import { anyId } from "../../../../models/queries/any-id.ts";
import type { TitleMode } from "../../../../models/survival/survival-server.ts";
import type { SurvivalTitleRule } from "../../../../models/survival/survival-title-rule.ts";
import type { Caller } from "../../../platform/access/caller.ts";
import { recordActivity } from "../../../platform/activity/activity.ts";
import { hashOf, requireBase } from "../../../platform/based-on.ts";
import { inTransaction, modelsOf } from "../../../platform/db/transaction.ts";
import { invalidFields, missing } from "../../../platform/errors/errors.ts";
import type { SurvivalContext } from "../../context.ts";
import type { StatName } from "../../kinds/stat-names.ts";
import { askForPush } from "../../pushes/ask-for-push.ts";
import { type PushView, readPush } from "../../pushes/read-push.ts";
import { computeTitles, type ServerTitles, type StoredRule } from "../push/compute-titles.ts";
import { plainTitle } from "../title-categories.ts";

export interface NewRule {
  readonly stat: StatName;
  readonly topN: number;
  /** Null or empty for the title of the category. */
  readonly text?: string | null;
  readonly color?: string | null;
  readonly enabled: boolean;
}

export interface TitlesChange {
  readonly mode: TitleMode;
  readonly max?: number | null;
  readonly rules: readonly NewRule[];
}

/** The titles of a server's players in chat. */
export interface TitlesView extends ServerTitles {
  readonly rules: readonly StoredRule[];
  readonly push: PushView | null;
  readonly revision: string;
}

/** @throws AppError missing */
export async function readTitles(serverId: number, context: SurvivalContext): Promise<TitlesView> {
  const server = await context.models.SurvivalServer.findOne({
    where: { id: anyId(serverId) },
    attributes: ["id"],
    raw: true,
  });
  if (!server) throw missing("Unknown server");
  const [titles, push] = await Promise.all([
    computeTitles(serverId, { models: context.models, database: context.sequelize }),
    readPush(serverId, "titles", context),
  ]);
  return { ...titles, push, revision: titlesRevision(titles) };
}

/** Writes the rules of a server anew, and has it told who holds a title by them. */
export async function changeTitles(
  serverId: number,
  change: TitlesChange,
  caller: Caller,
  context: SurvivalContext,
): Promise<TitlesView> {
  const max = maxOf(change);
  await inTransaction(context.sequelize, async (transaction) => {
    const { SurvivalServer: Server, SurvivalTitleRule: Rule } = modelsOf(transaction);
    const lock = transaction.LOCK.NO_KEY_UPDATE;
    const server = await Server.findOne({ where: { id: anyId(serverId) }, transaction, lock });
    if (!server) throw missing("Unknown server");
    const stored = await Rule.findAll({ where: { serverId }, order: ["position"], transaction });
    requireBase(titlesRevision({ mode: server.titleMode, max: server.titleMax, rules: stored }));
    await server.update({ titleMode: change.mode, titleMax: max }, { transaction });
    await Rule.destroy({ where: { serverId }, transaction });
    await Rule.bulkCreate(
      change.rules.map(({ stat, topN, text, color = null, enabled }, at) => ({
        serverId,
        position: at + 1,
        stat,
        topN,
        text: plainTitle(text ?? "") || null,
        color,
        enabled,
      })),
      { transaction },
    );
    const target = { type: "survivalServer", id: serverId };
    const detail = { mode: change.mode, max, rules: change.rules.length };
    const action = "survival.titles.changed";
    await recordActivity({ actor: caller, action, target, detail }, transaction);
    const ask = { names: ["titles"], serverIds: [serverId], reason: "titles" } as const;
    await askForPush(ask, context, transaction);
  });
  return readTitles(serverId, context);
}

type SaidRule = Pick<SurvivalTitleRule, "stat" | "topN" | "text" | "color" | "enabled">;

/** The revision of a server's titles: of its rules in their order, and how many titles are shown. */
const titlesRevision = ({
  mode,
  max,
  rules,
}: Pick<ServerTitles, "mode" | "max"> & { readonly rules: readonly SaidRule[] }): string =>
  hashOf([
    mode,
    max,
    rules.map(({ stat, topN, text, color, enabled }) => [stat, topN, text, color, enabled]),
  ]);

function maxOf({ mode, max = null }: TitlesChange): number | null {
  if ((mode === "upTo") === (max !== null)) return max;
  const message = mode === "upTo" ? "max is required with upTo" : "max goes with upTo alone";
  throw invalidFields([{ path: "max", message }]);
}
