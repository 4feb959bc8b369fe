import { QueryTypes } from "sequelize";

import type { Context } from "../context.ts";

interface LedGuild {
  readonly guildId: number;
  readonly name: string | null;
  readonly abbr: string | null;
}

/** What offices the characters of a user's game accounts hold. */
export interface Offices {
  /** Cities. */
  readonly governorOf: string[];
  readonly guildsLed: LedGuild[];
}

export async function readOffices(userId: number, { sequelize }: Context): Promise<Offices> {
  const [cities, guildsLed] = await Promise.all([
    sequelize.query<{ city: string }>(
      `select city from governors join shard_links using (account_key)
       where user_id = $1 order by city`,
      { bind: [userId], type: QueryTypes.SELECT },
    ),
    sequelize.query<LedGuild>(
      `select guild_id as "guildId", state ->> 'name' as name, state ->> 'abbr' as abbr
       from guilds join shard_links on leader_account_key = account_key
       where user_id = $1 order by guild_id`,
      { bind: [userId], type: QueryTypes.SELECT },
    ),
  ]);
  return { governorOf: cities.map(({ city }) => city), guildsLed };
}
