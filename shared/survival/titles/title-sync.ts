import { createHash } from "node:crypto";

import { Transaction, type Sequelize } from "sequelize";

import type { Models } from "../../../models/index.ts";
import type { TitleMode } from "../../../models/survival/survival-server.ts";
import type { SurvivalTitleRule } from "../../../models/survival/survival-title-rule.ts";
import type { SurvivalTitleSync } from "../../../models/survival/survival-title-sync.ts";
import { firstRow, rows, countChanged } from "../../platform/db/rows.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { setTitles } from "../calls/speech-calls.ts";
import type { SurvivalContext } from "../context.ts";
import type { HandlerContext, Handlers } from "../kinds/handler.ts";
import type { StatName } from "../kinds/stat-names.ts";
import { requestSync } from "../sync/request-sync.ts";
import type { PreparedSync, SyncKind } from "../sync/sync-kind.ts";
import {
  type PlayerScore,
  type TitleHolder,
  assignTitles,
  type TitleRule,
} from "./title-holders.ts";

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
        await control.command(setTitles, order, { body: { mode, max, holders } });
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
  /** A time before the titles were read. */
  readonly at: Date;
}

interface SentTitles extends Pick<SurvivalTitleSync, "hash"> {
  readonly now: Date;
  readonly isCurrent: boolean | null;
}

/** Returns null if the server is up to date or never had a title. */
async function readDue(serverId: number, transaction: Transaction): Promise<TitlesToSend | null> {
  const told = await firstRow<SentTitles>(transaction, readSent, [serverId]);
  const parts = { models: modelsOf(transaction), database: transaction };
  const { rules, ...titles } = await computeTitles(serverId, parts);
  const hash = titlesHash(titles);
  const wasTold = told !== undefined && told.hash !== null;
  if (!wasTold && rules.length === 0) return null;
  if (wasTold && told.hash === hash && told.isCurrent === true) return null;
  return { titles, hash, at: told?.now as Date };
}

const readSent = `
  select clock_timestamp() as now, told.hash, told.sent_at > told.returned_at as "isCurrent"
  from (select) one left join survival_title_servers told on told.server_id = $1`;

async function storeSent(
  serverId: number,
  { hash, at }: TitlesToSend,
  transaction: Transaction,
): Promise<void> {
  // A new row has the oldest possible time of a hello, so the sent titles are newer.
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
  const found = await rows<PlayerScore & { readonly stat: StatName }>(database, readStandings, [
    serverId,
  ]);
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

/** Reads the best players of each category, as many as its enabled rules can award. */
const readStandings = `
  select wanted.stat, score.steam_id as "steamId", score.value, score.reached_at as "reachedAt"
  from survival_servers server
  join survival_server_states state on state.server_id = server.id
  join survival_wipes wipe on wipe.server_id = server.id and wipe.save_id = state.save_id
  join (
    select stat, max(top_n) as top_n from survival_title_rules
    where server_id = $1 and enabled group by stat
  ) wanted on true
  cross join lateral (
    select score.steam_id, score.value, score.reached_at
    from survival_scores score
    where score.wipe_id = wipe.id and score.stat = wanted.stat and score.value > 0
      and not score.left_out
    order by score.value desc, score.reached_at, score.steam_id
    limit wanted.top_n
  ) score
  where server.id = $1`;

/** Minimum interval between updates of titles. */
const titlesEveryMs = 60_000;

export const titleHandlers: Handlers = {
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
  // One job per server covers all changes until it runs.
  "player.tally": async (_taken, { serverId, connection, context }) => {
    if (!(await firstRow(connection, hasRules, [serverId]))) return;
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

const hasRules = "select 1 from survival_title_rules where server_id = $1 and enabled limit 1";

async function markHello({ serverId, connection }: HandlerContext): Promise<void> {
  await countChanged(connection, storeReturn, [serverId]);
}

const storeReturn = `
  insert into survival_title_servers (server_id) values ($1)
  on conflict (server_id) do update set returned_at = excluded.returned_at`;
