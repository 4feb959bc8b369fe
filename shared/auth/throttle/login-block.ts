import type { Context } from "../../platform/context.ts";
import { doublingTime } from "../../platform/db/doubling.ts";
import { countChanged } from "../../platform/db/rows.ts";

/** @returns milliseconds for which the address may not try to sign in; 0 when it may */
export const readLoginBlock = (key: string, { models }: Context): Promise<number> =>
  models.AddressReputation.readLoginBlock(key);

/**
 * Blocks an address that is over its limit from signing in. Each block in a row is twice as long
 * as the one before. While one lasts it is not made longer, however many fail at the same time.
 * @returns milliseconds until it ends
 */
export async function blockLogins(key: string, context: Context): Promise<number> {
  const { sequelize, config, rateLimits } = context;
  await countChanged(
    sequelize,
    `insert into ip_reputation as known (address_key, login_strikes, login_blocked_until)
     values ($1, 1, clock_timestamp() + ${blockLengthSql("0")})
     on conflict (address_key) do update set
       login_strikes = ${strikesSql} + 1,
       login_blocked_until = clock_timestamp() + ${blockLengthSql(strikesSql)}
     where known.login_blocked_until is null
       or known.login_blocked_until <= clock_timestamp()`,
    [key, config.RL_LOGIN_BLOCK / 1000, config.RL_LOGIN_BLOCK_LONGEST / 1000],
  );
  // The block outlasts the window, so an address is counted anew after it.
  await rateLimits.forget("loginFailed", key);
  await rateLimits.forget("loginTotal", key);
  return readLoginBlock(key, context);
}

const strikesSql = `case
  when known.login_blocked_until < clock_timestamp() - make_interval(secs => $3) then 0
  else known.login_strikes end`;

const blockLengthSql = (before: string): string =>
  doublingTime({ first: "$2", longest: "$3", before });
