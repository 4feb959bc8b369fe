import { anyId } from "../../../../models/queries/any-id.ts";
import type { TitleMode } from "../../../../models/survival/survival-server.ts";
import type { SurvivalTitleRule } from "../../../../models/survival/survival-title-rule.ts";
import type { Caller } from "../../../platform/access/caller.ts";
import { recordActivity } from "../../../platform/activity/activity.ts";
import { hashOf, requireBase } from "../../../platform/based-on.ts";
import { inTransaction, modelsOf } from "../../../platform/db/transaction.ts";
import { invalidFields, missing } from "../../../platform/errors/errors.ts";
import type { SurvivalContext } from "../../context.ts";
import { askForPush } from "../../pushes/ask-for-push.ts";
import { type PushView, readPush } from "../../pushes/read-push.ts";
import type { StatName } from "../../tallies/stat-names.ts";
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

/**
 * The titles of a server's players in chat.
 *
 * @openapi
 * components:
 *   schemas:
 *     SurvivalTitles:
 *       type: object
 *       additionalProperties: false
 *       required: [mode, max, rules, revision, push]
 *       properties:
 *         mode:
 *           type: string
 *           enum: [first, all, upTo]
 *           description: >-
 *             How many of a player's titles the game shows. `first`: only the first title. `all`:
 *             all titles. `upTo`: at most `max` titles.
 *         max:
 *           type: integer
 *           nullable: true
 *           example: 2
 *           description: >-
 *             Maximum number of titles that the game shows. Null unless `mode` is `upTo`.
 *         rules: { type: array, items: { $ref: '#/components/schemas/SurvivalTitleRule' } }
 *         revision: { $ref: '#/components/schemas/Revision' }
 *         push: { $ref: '#/components/schemas/SurvivalTitlesPush' }
 *     SurvivalTitlesPush:
 *       nullable: true
 *       type: object
 *       additionalProperties: false
 *       description: >-
 *         State of the sync of chat titles to the server. Null if a sync has never been due.
 *       required: [state, at, error]
 *       properties:
 *         state:
 *           type: string
 *           enum: [pending, pushed, failed, offline, unsupported]
 *           description: >-
 *             State of the sync. `pending`: a sync is due. `pushed`: the server has the current
 *             titles. `failed`: the last sync failed and will be retried. `offline`: the server
 *             cannot be reached. `unsupported`: the server's plugin cannot show titles.
 *         at:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the last sync to the server began.
 *         error:
 *           type: string
 *           nullable: true
 *           example: LIMIT
 *           description: Why the last sync failed. Null unless the state is `failed`.
 *     SurvivalTitlesHeld:
 *       type: object
 *       additionalProperties: false
 *       required: [mode, max, rules, revision, push, holders]
 *       properties:
 *         mode:
 *           type: string
 *           enum: [first, all, upTo]
 *           description: >-
 *             How many of a player's titles the game shows. `first`: only the first title. `all`:
 *             all titles. `upTo`: at most `max` titles.
 *         max:
 *           type: integer
 *           nullable: true
 *           example: 2
 *           description: >-
 *             Maximum number of titles that the game shows. Null unless `mode` is `upTo`.
 *         rules: { type: array, items: { $ref: '#/components/schemas/SurvivalTitleRule' } }
 *         revision: { $ref: '#/components/schemas/Revision' }
 *         push: { $ref: '#/components/schemas/SurvivalTitlesPush' }
 *         holders:
 *           type: array
 *           description: >-
 *             Players who hold a title in the current world. For each player, the list contains the
 *             titles that the game shows according to `mode`.
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [steamId, titles]
 *             properties:
 *               steamId: { type: string, example: '76561198000000001' }
 *               titles:
 *                 type: array
 *                 items:
 *                   type: object
 *                   additionalProperties: false
 *                   required: [text, color, stat, rank]
 *                   properties:
 *                     text: { type: string, example: Murderer }
 *                     color: { type: string, nullable: true, example: '#ff5533' }
 *                     stat: { type: string, example: playersKilled }
 *                     rank:
 *                       type: integer
 *                       description: >-
 *                         Rank of the player in the stat. Players with equal values share a rank.
 *                       example: 1
 *     SurvivalTitleRule:
 *       type: object
 *       additionalProperties: false
 *       required: [id, position, stat, topN, text, color, enabled]
 *       properties:
 *         id: { type: integer, example: 12 }
 *         position:
 *           type: integer
 *           example: 1
 *           description: Position of the rule in the list of rules, starting at 1.
 *         stat: { type: string, example: playersKilled }
 *         topN: { type: integer, example: 3, description: 'Number of players who hold the title: the best players in the stat.' }
 *         text:
 *           type: string
 *           nullable: true
 *           description: Text of the title. If null, the chat title of the stat applies.
 *         color: { type: string, nullable: true, example: '#ff5533' }
 *         enabled: { type: boolean }
 */
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
