import { createHash } from "node:crypto";

import { type Sequelize, Transaction } from "sequelize";

import type { Models } from "../../../../models/index.ts";
import type { TitleMode } from "../../../../models/survival/survival-server.ts";
import type { SurvivalTitleRule } from "../../../../models/survival/survival-title-rule.ts";
import { rows } from "../../../platform/db/rows.ts";
import type { StatName } from "../../kinds/stat-names.ts";
import type { Standing } from "../ranks.ts";
import { type TitleHolder, titleHolders, type TitleRule } from "../title-holders.ts";

/** The titles of a server as it is told them. */
export interface ServerTitles {
  readonly mode: TitleMode;
  /** Only with `upTo`. */
  readonly max: number | null;
  readonly holders: readonly TitleHolder[];
}

export type StoredRule = TitleRule & Pick<SurvivalTitleRule, "id">;

interface Parts {
  readonly models: Models;
  /** The pool, or the transaction that all of it is read in. */
  readonly database: Sequelize | Transaction;
}

/** The titles that the world which stands gives to its players, and the rules they come of. */
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
  const found = await rows<Standing & { readonly stat: StatName }>(database, readStandings, [
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
  return { mode, max, rules, holders: titleHolders(rules, { mode, max }, standings, written) };
}

export const titlesHash = ({ mode, max, holders }: ServerTitles): string =>
  createHash("sha256").update(JSON.stringify({ mode, max, holders })).digest("hex");

/** The first of each category that a rule in force names, as many as it names. */
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
