import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { deleteInBatches } from "../../platform/db/rows.ts";

/** CATALOGUE of tables with rows that expire, and the condition to delete a row. */
const pruneConditions = (config: Config) => ({
  revoked_tokens: "expires_at < now() - interval '1 day'",
  auth_challenges: "expires_at < now() - interval '1 day'",
  totp_pending: "expires_at < now()",
  trusted_devices: "expires_at < now()",
  // An expired token need not be kept, because its reuse does not prove theft.
  mobile_sessions: "expires_at < now() - interval '1 day'",
  mobile_families:
    "expires_at < now() - interval '1 day' or revoked_at < now() - interval '30 days'",
  password_resets: "expires_at < now() - interval '1 day'",
  invites: "greatest(expires_at, accepted_at) < now() - interval '1 year'",
  // The activity log may refer to a token, so keep it as long as the log's entries.
  api_tokens: `least(revoked_at, expires_at)
    < now() - make_interval(secs => ${config.ACTIVITY_RETENTION / 1000})`,
  sso_sessions: "expire < now()",
  sso_transactions: "expires_at < now() - interval '1 day'",
  mobile_sso_codes: "expires_at < now() - interval '1 day'",
  rate_limits: "expire < extract(epoch from now()) * 1000",
  ip_reputation: `greatest(scored_at, banned_until, login_blocked_until)
    < now() - interval '1 day' - make_interval(secs => ${reputationRetentionMs(config) / 1000})`,
});

/** Number of half-lives after which a score is negligible. */
const negligibleHalvings = 20;

/** Milliseconds for which past bans and scores have an effect. */
const reputationRetentionMs = (config: Config): number =>
  Math.max(
    config.BOT_BAN_LONGEST,
    config.RL_LOGIN_BLOCK_LONGEST,
    config.BOT_HALF_LIFE * negligibleHalvings,
  );

/** Deletes expired rows in batches. @returns the number per table */
export async function pruneCredentials({
  sequelize,
  config,
}: Pick<Context, "sequelize" | "config">): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  for (const [table, hasEnded] of Object.entries(pruneConditions(config))) {
    deleted[table] = await deleteInBatches(pruneSql(table, hasEnded), [], sequelize);
  }
  return deleted;
}

/** Skips locked rows until the next run. Waiting for them could cause a deadlock with a request. */
const pruneSql = (table: string, hasEnded: string): string =>
  `delete from ${table} where ctid in (
     select ctid from ${table} where ${hasEnded} limit $1 for update skip locked)`;
