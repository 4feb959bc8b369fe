import { literal } from "sequelize";

import type { AddressReputation } from "../../../models/auth/address-reputation.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { firstRow } from "../../platform/db/rows.ts";
import { doublingIntervalSql } from "../../platform/db/sql-text.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { type AddressNetworks, networksOf } from "../../platform/net/networks.ts";
import { limitFactors } from "../../platform/throttle/subjects.ts";

/** CATALOGUE of signs of a bot, with the variables that set the score of each. */
const weights = {
  junk: "BOT_SCORE_JUNK",
  honeypot: "BOT_SCORE_HONEYPOT",
  credentials: "BOT_SCORE_CREDENTIALS",
  factor: "BOT_SCORE_FACTOR",
  token: "BOT_SCORE_TOKEN",
  malformed: "BOT_SCORE_MALFORMED",
} as const satisfies Readonly<Record<string, keyof Config>>;
export type BotSignal = keyof typeof weights;

/**
 * SQL of a score's present value. The exponent is bounded, because PostgreSQL rejects a power too small
 * for a double.
 * @param row the table's name in the statement
 * @param halfLife SQL of the half-life in milliseconds
 */
const decayedScore = (row: string, halfLife: string): string =>
  `${row}.score * power(0.5, least(500, greatest(0,
    extract(epoch from clock_timestamp() - ${row}.scored_at)::float8 * 1000 / ${halfLife}::float8)))`;

/**
 * Adds to an address's score and bans the address at the limit. The score halves over time. Each ban in a
 * row lasts twice as long. Requests for scanner paths also add to wider networks, which have a higher
 * limit. A banned address adds no more, so only several addresses can ban a network. Other signs do not
 * add to networks: some people in a university mistype passwords, and a broken app sends dead tokens from
 * many networks.
 */
export async function addBotScore(
  networks: AddressNetworks,
  sign: BotSignal,
  context: Context,
): Promise<void> {
  const times = limitFactors(context.config);
  const scored = sign === "junk" ? networks : [networks[0]];
  for (const { key, width } of scored) {
    await addNetworkScore(key, sign, context.config.BOT_BAN_SCORE * times[width], context);
  }
}

async function addNetworkScore(
  key: string,
  sign: BotSignal,
  banScore: number,
  context: Context,
): Promise<void> {
  const { sequelize, config } = context;
  const scored = await firstRow<Pick<AddressReputation, "score">>(
    sequelize,
    `insert into ip_reputation as known (address_key, score) values ($2, $3)
     on conflict (address_key) do update
       set score = ${decayedScore("known", "$1")} + $3, scored_at = clock_timestamp()
     returning score`,
    [config.BOT_HALF_LIFE, key, config[weights[sign]]],
  );
  if (scored && scored.score >= banScore) await ban(key, sign, context);
}

async function ban(key: string, sign: BotSignal, context: Context): Promise<void> {
  const { sequelize, config, bans } = context;
  await inCallersTransaction(sequelize, async (transaction) => {
    const values = [key, config.BOT_BAN / 1000, config.BOT_BAN_LONGEST / 1000];
    const made = await firstRow<NewBan>(transaction, banSql, values);
    if (!made) return;
    const detail = { sign, strikes: made.strikes, until: made.bannedUntil };
    const target = { type: "address", id: key };
    await recordActivity({ actorId: null, action: "bot.banned", target, detail }, transaction);
  });
  bans.reload();
}

type NewBan = Pick<AddressReputation, "strikes" | "bannedUntil">;

/** Skips an address that is already banned, so that only one of many concurrent requests bans it. */
const banSql = `
  update ip_reputation as known
  set strikes = past.strikes + 1,
    banned_until = clock_timestamp()
      + ${doublingIntervalSql({ first: "$2", longest: "$3", before: "past.strikes" })}
  from (
    select case when banned_until < clock_timestamp() - make_interval(secs => $3) then 0
      else strikes end as strikes
    from ip_reputation where address_key = $1 for update) as past
  where known.address_key = $1
    and (known.banned_until is null or known.banned_until <= clock_timestamp())
  returning known.strikes, known.banned_until as "bannedUntil"`;

/** An address or wider network with a ban in force. */
export interface AddressBan extends Readonly<Pick<AddressReputation, "score" | "strikes">> {
  readonly ip: string;
  readonly bannedUntil: Date;
}

/** Lists bans in force, longest first. */
export async function listBans({ models, config }: Context): Promise<AddressBan[]> {
  const score = decayedScore('"AddressReputation"', String(config.BOT_HALF_LIFE));
  const bans = await models.AddressReputation.scope("banned").findAll({
    attributes: [
      "addressKey",
      [literal(`round((${score})::numeric, 2)::float8`), "score"],
      "strikes",
      "bannedUntil",
    ],
    order: [["bannedUntil", "DESC"], "addressKey"],
  });
  return bans.map(({ addressKey, score: now, strikes, bannedUntil }) => ({
    ip: addressKey,
    score: now,
    strikes,
    bannedUntil: bannedUntil as Date,
  }));
}

/**
 * Ends bans and resets the scores of the banned networks.
 * @param ip a banned network from the list, or an address: then the bans of all its networks end
 * @returns false if nothing was banned
 */
export async function liftBan(ip: string, actor: Caller, context: Context): Promise<boolean> {
  const lifted = await inCallersTransaction(context.sequelize, async (transaction) => {
    const keys = [ip, ...networksOf(ip).map(({ key }) => key)];
    const [, bans] = await context.models.AddressReputation.scope("banned").update(
      { score: 0, strikes: 0, bannedUntil: null },
      { where: { addressKey: keys }, returning: true, transaction },
    );
    for (const { addressKey: id } of bans) {
      const target = { type: "address", id };
      await recordActivity({ actor, action: "bot.unbanned", target }, transaction);
    }
    return bans.length > 0;
  });
  context.bans.reload();
  return lifted;
}
