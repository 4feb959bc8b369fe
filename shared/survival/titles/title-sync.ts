import { createHash } from "node:crypto";

import { Transaction, type Sequelize } from "sequelize";

import type { Models } from "../../../models/index.ts";
import type { TitleMode } from "../../../models/survival/survival-server.ts";
import type { SurvivalTitleRule } from "../../../models/survival/survival-title-rule.ts";
import type { SurvivalTitleSync } from "../../../models/survival/survival-title-sync.ts";
import { firstRow, rows, executeStatement } from "../../platform/db/rows.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { setTitlesCall } from "../calls/speech-calls.ts";
import type { SurvivalContext } from "../context.ts";
import type { FrameHandlerContext, FrameHandlers } from "../kinds/handler.ts";
import type { StatName } from "../kinds/stat-names.ts";
import { requestSync } from "../sync/request-sync.ts";
import type { PreparedSync, SyncKind } from "../sync/sync-kind.ts";
import {
  type PlayerScore,
  type TitleHolder,
  assignTitles,
  type TitleRule,
} from "./title-holders.ts";
import {
  selectRuleSql,
  selectSentTitlesSql,
  selectStandingsSql,
  recordServerReturnSql,
} from "./titles.sql.ts";

/** Sends the holders of titles to a server, unless it has received them since its last hello. */
export const titleSync: SyncKind = {
  capability: "titles",
  prepare: async ({ serverId }, transaction): Promise<PreparedSync | null> => {
    const due = await readDue(serverId, transaction);
    if (!due) return null;
    const { mode, max, holders } = due.titles;
    return {
      enters: ["titles"],
      send: async (control, order) => {
        await control.command(setTitlesCall, order, { body: { mode, max, holders } });
        return { settle: (ending) => storeSent(serverId, due, ending) };
      },
    };
  },
};

/** Requests a sync if new statistics have changed the holders of titles. */
export const requestSyncIfChanged = (serverId: number, context: SurvivalContext): Promise<void> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    if (!(await readDue(serverId, transaction))) return;
    const ask = { names: ["titles"], serverIds: [serverId], reason: "tally" } as const;
    await requestSync(ask, context, transaction);
  });

interface TitlesToSend {
  readonly titles: ServerTitles;
  readonly hash: string;
  /** Time of the sync, taken before titles are read. */
  readonly at: Date;
}

interface SentTitles extends Pick<SurvivalTitleSync, "hash"> {
  readonly now: Date;
  readonly isCurrent: boolean | null;
}

/** Returns null if the server is up to date or never had a title. */
async function readDue(serverId: number, transaction: Transaction): Promise<TitlesToSend | null> {
  const told = await firstRow<SentTitles>(transaction, selectSentTitlesSql, [serverId]);
  const parts = { models: modelsOf(transaction), database: transaction };
  const { rules, ...titles } = await computeTitles(serverId, parts);
  const hash = titlesHash(titles);
  const wasTold = told !== undefined && told.hash !== null;
  if (!wasTold && rules.length === 0) return null;
  if (wasTold && told.hash === hash && told.isCurrent === true) return null;
  return { titles, hash, at: told?.now as Date };
}

async function storeSent(
  serverId: number,
  { hash, at }: TitlesToSend,
  transaction: Transaction,
): Promise<void> {
  // A new row gets the oldest possible hello time, so that the titles count as sent after the hello.
  await modelsOf(transaction).SurvivalTitleServer.upsert(
    { serverId, returnedAt: new Date(0), sentAt: at, hash },
    { fields: ["sentAt", "hash"], transaction },
  );
}

/** The titles as a server receives them. */
export interface ServerTitles {
  readonly mode: TitleMode;
  /** Used only with the mode `upTo`. */
  readonly max: number | null;
  readonly holders: readonly TitleHolder[];
}

export type StoredRule = TitleRule & Pick<SurvivalTitleRule, "id">;

interface Parts {
  readonly models: Models;
  /** The connection pool, or the transaction to read in. */
  readonly database: Sequelize | Transaction;
}

/** Computes the titles of players in the current world, and returns them with their rules. */
export async function computeTitles(
  serverId: number,
  { models, database }: Parts,
): Promise<ServerTitles & { readonly rules: readonly StoredRule[] }> {
  const within = database instanceof Transaction ? { transaction: database } : {};
  const setting = await models.SurvivalServer.findByPk(serverId, {
    attributes: ["titleMode", "titleMax"],
    raw: true,
    ...within,
  });
  const rules = (await models.SurvivalTitleRule.findAll({
    where: { serverId },
    attributes: ["id", "position", "stat", "topN", "text", "color", "enabled"],
    order: ["position"],
    raw: true,
    ...within,
  })) as StoredRule[];
  const found = await rows<PlayerScore & { readonly stat: StatName }>(
    database,
    selectStandingsSql,
    [serverId],
  );
  const texts = await models.SurvivalTitleText.findAll({
    attributes: ["stat", "title"],
    raw: true,
    ...within,
  });
  const { titleMode: mode = "first", titleMax: max = null } = setting ?? {};
  const standings = Object.fromEntries(Map.groupBy(found, ({ stat }) => stat));
  const written = Object.fromEntries(texts.map(({ stat, title }) => [stat, title]));
  return { mode, max, rules, holders: assignTitles(rules, { mode, max }, standings, written) };
}

const titlesHash = ({ mode, max, holders }: ServerTitles): string =>
  createHash("sha256").update(JSON.stringify({ mode, max, holders })).digest("hex");

/** Minimum interval between updates of titles. */
const titlesEveryMs = 60_000;

export const titleHandlers: FrameHandlers = {
  // The game may have lost the titles. The hello also requests the sync.
  "server.hello": (_taken, ground) => markHello(ground),
  // A reloaded chat plugin has lost its titles and message style.
  "plugin.loaded": async ({ payload }, ground) => {
    if (payload.helperId !== "chat") return;
    const { serverId, connection, context } = ground;
    await markHello(ground);
    const names = ["titles", "voice"] as const;
    await requestSync(
      { names, serverIds: [serverId], reason: "plugin.loaded" },
      context,
      connection,
    );
  },
  // One job per server covers all changes up to its start.
  "player.tally": async (_taken, { serverId, connection, context }) => {
    if (!(await firstRow(connection, selectRuleSql, [serverId]))) return;
    await context.queue.enqueue(
      "survival.titles",
      { serverId },
      {
        key: String(serverId),
        afterMs: titlesEveryMs,
        within: connection,
      },
    );
  },
};

async function markHello({ serverId, connection }: FrameHandlerContext): Promise<void> {
  await executeStatement(connection, recordServerReturnSql, [serverId]);
}
