import { QueryTypes, type Sequelize } from "sequelize";

import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";

/** Rows of one delete: small enough that nobody who signs in waits for it. */
const slice = 5_000;

/** CATALOGUE of what ends by itself, and when its row has nothing more to say. */
const endedBy = (config: Config) => ({
  revoked_tokens: "expires_at < now() - interval '1 day'",
  auth_challenges: "expires_at < now() - interval '1 day'",
  totp_pending: "expires_at < now()",
  trusted_devices: "expires_at < now()",
  // A token past its own life proves no theft any more.
  mobile_sessions: "expires_at < now() - interval '1 day'",
  mobile_families:
    "expires_at < now() - interval '1 day' or revoked_at < now() - interval '30 days'",
  password_resets: "expires_at < now() - interval '1 day'",
  invites: "greatest(expires_at, accepted_at) < now() - interval '1 year'",
  rate_limits: "expire < extract(epoch from now()) * 1000",
  ip_reputation: `greatest(scored_at, banned_until, login_blocked_until)
    < now() - interval '1 day' - make_interval(secs => ${rememberedMs(config) / 1000})`,
});

/** Of a score that has halved so often nothing is left. */
const halvings = 20;

/** Until strikes are forgotten and scores are nothing. */
const rememberedMs = (config: Config): number =>
  Math.max(config.BOT_BAN_LONGEST, config.RL_LOGIN_BLOCK_LONGEST, config.BOT_HALF_LIFE * halvings);

/** Deletes what has ended, in slices. @returns how many rows of each table */
export async function pruneCredentials({
  sequelize,
  config,
}: Pick<Context, "sequelize" | "config">): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  for (const [table, hasEnded] of Object.entries(endedBy(config))) {
    deleted[table] = await pruneTable(table, hasEnded, sequelize);
  }
  return deleted;
}

async function pruneTable(table: string, hasEnded: string, sequelize: Sequelize): Promise<number> {
  for (let total = 0; ;) {
    const rows = await sequelize.query(
      `delete from ${table} where ctid in (select ctid from ${table} where ${hasEnded} limit ${slice})
       returning 1`,
      { type: QueryTypes.SELECT },
    );
    total += rows.length;
    if (rows.length < slice) return total;
  }
}
