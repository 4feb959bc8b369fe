import { matchClientId } from "../../../models/queries/any-id.ts";
import { clockNow } from "../../../models/queries/clock.ts";
import type { TitleMode } from "../../../models/survival/survival-server.ts";
import type { SurvivalSync } from "../../../models/survival/survival-sync.ts";
import type { SurvivalTitleRule } from "../../../models/survival/survival-title-rule.ts";
import type { SurvivalTitleText } from "../../../models/survival/survival-title-text.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import { hashContent, requireBaseRevision } from "../../platform/base-revision.ts";
import type { Context } from "../../platform/context.ts";
import { lockSubject } from "../../platform/db/lock.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { invalidFieldsError, notFoundError } from "../../platform/errors/errors.ts";
import type { SurvivalContext } from "../context.ts";
import type { StatName } from "../kinds/stat-names.ts";
import { requestSync } from "../sync/request-sync.ts";
import type { SyncName } from "../sync/sync-kind.ts";
import {
  cleanTitle,
  statNames,
  titleCategories,
  type TitleCategory,
  titleOf,
} from "./title-categories.ts";
import { computeTitles, type ServerTitles, type StoredRule } from "./title-sync.ts";

export interface NewRule {
  readonly stat: StatName;
  readonly topN: number;
  /** Null or empty to use the title of the category. */
  readonly text?: string | null;
  readonly color?: string | null;
  readonly enabled: boolean;
}

export interface TitlesChange {
  readonly mode: TitleMode;
  readonly max?: number | null;
  readonly rules: readonly NewRule[];
}

/** Titles of a server with their rules and sync state. */
export interface TitlesView extends ServerTitles {
  readonly rules: readonly StoredRule[];
  readonly push: SyncView | null;
  readonly revision: string;
}

/** @throws AppError missing if no server has this id */
export async function readTitles(serverId: number, context: SurvivalContext): Promise<TitlesView> {
  const server = await context.models.SurvivalServer.findOne({
    where: { id: matchClientId(serverId) },
    attributes: ["id"],
    raw: true,
  });
  if (!server) throw notFoundError("Unknown server");
  const [titles, push] = await Promise.all([
    computeTitles(serverId, { models: context.models, database: context.sequelize }),
    readPush(serverId, "titles", context),
  ]);
  return { ...titles, push, revision: titlesRevision(titles) };
}

/** Replaces the title rules of a server and requests a sync. */
export async function changeTitles(
  serverId: number,
  change: TitlesChange,
  caller: Caller,
  context: SurvivalContext,
): Promise<TitlesView> {
  const max = maxOf(change);
  await inCallersTransaction(context.sequelize, async (transaction) => {
    const { SurvivalServer: Server, SurvivalTitleRule: Rule } = modelsOf(transaction);
    const lock = transaction.LOCK.NO_KEY_UPDATE;
    const server = await Server.findOne({
      where: { id: matchClientId(serverId) },
      transaction,
      lock,
    });
    if (!server) throw notFoundError("Unknown server");
    const stored = await Rule.findAll({ where: { serverId }, order: ["position"], transaction });
    requireBaseRevision(
      titlesRevision({ mode: server.titleMode, max: server.titleMax, rules: stored }),
    );
    await server.update({ titleMode: change.mode, titleMax: max }, { transaction });
    await Rule.destroy({ where: { serverId }, transaction });
    await Rule.bulkCreate(
      change.rules.map(({ stat, topN, text, color = null, enabled }, at) => ({
        serverId,
        position: at + 1,
        stat,
        topN,
        text: cleanTitle(text ?? "") || null,
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
    await requestSync(ask, context, transaction);
  });
  return readTitles(serverId, context);
}

type RuleFields = Pick<SurvivalTitleRule, "stat" | "topN" | "text" | "color" | "enabled">;

/** Returns the hash of the ordered rules and of the setting. */
const titlesRevision = ({
  mode,
  max,
  rules,
}: Pick<ServerTitles, "mode" | "max"> & { readonly rules: readonly RuleFields[] }): string =>
  hashContent([
    mode,
    max,
    rules.map(({ stat, topN, text, color, enabled }) => [stat, topN, text, color, enabled]),
  ]);

function maxOf({ mode, max = null }: TitlesChange): number | null {
  if ((mode === "upTo") === (max !== null)) return max;
  const message = mode === "upTo" ? "max is required with upTo" : "max is allowed only with upTo";
  throw invalidFieldsError([{ path: "max", message }]);
}

/** The state of a sync, as staff see it. */
interface SyncView {
  readonly state: "pending" | "pushed" | "failed" | "offline" | "unsupported";
  /** The time of the last attempt. */
  readonly at: Date | null;
  readonly error: string | null;
}

/** Returns null if the titles were never sent. */
async function readPush(
  serverId: number,
  name: SyncName,
  { models }: Pick<Context, "models">,
): Promise<SyncView | null> {
  const push = await models.SurvivalPush.findOne({
    where: { serverId, name },
    attributes: ["state", "asked", "pushed", "lastPushAt", "error"],
    include: { association: "server", attributes: ["enabled"] },
  });
  if (!push) return null;
  const state = stateOf(push);
  return { state, at: push.lastPushAt, error: state === "failed" ? push.error : null };
}

function stateOf({ state, asked, pushed, server }: SurvivalSync): SyncView["state"] {
  if (state === "unsupported" || state === "failed") return state;
  if (!server?.enabled || state === "offline") return "offline";
  return asked > pushed ? "pending" : "pushed";
}

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
    revision: hashContent(text?.title ?? null),
    updatedAt: text?.updatedAt ?? null,
    updatedBy: text?.changedBy?.username ?? null,
  };
}

/** Sets the title of a category; an empty text restores the default. */
export async function writeTitle(
  stat: StatName,
  text: string,
  caller: Caller,
  context: SurvivalContext,
): Promise<CategoryView> {
  const title = cleanTitle(text) || null;
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const { SurvivalTitleText, SurvivalTitleRule } = modelsOf(transaction);
    // Use an advisory lock: the category may have no row.
    await lockSubject("titles", stat, transaction);
    const stored = await SurvivalTitleText.findByPk(stat, { transaction });
    requireBaseRevision(hashContent(stored?.title ?? null));
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
    // Servers whose rules use this category without a title of their own.
    const serverIds = rules.map(({ serverId }) => serverId);
    await requestSync({ names: ["titles"], serverIds, reason: "titles" }, context, transaction);
    const changed = await SurvivalTitleText.findByPk(stat, { ...written, transaction });
    return viewCategory(stat, changed);
  });
}
