import type { Context } from "../../platform/context.ts";

interface LedGuild {
  readonly guildId: number;
  readonly name: string | null;
  readonly abbr: string | null;
}

export interface PlayerOffices {
  /** The names of the cities that the user's characters govern. */
  readonly governorOf: string[];
  readonly guildsLed: LedGuild[];
}

export async function readPlayerOffices(
  userId: number,
  { models }: Context,
): Promise<PlayerOffices> {
  const ofUser = { association: "link", attributes: [], where: { userId } };
  const [governors, guilds] = await Promise.all([
    models.Governor.findAll({ attributes: ["city"], include: [ofUser], order: ["city"] }),
    models.Guild.findAll({
      attributes: ["guildId", "state"],
      include: [ofUser],
      order: ["guildId"],
    }),
  ]);
  return {
    governorOf: governors.map(({ city }) => city),
    guildsLed: guilds.map(({ guildId, state }) => viewLedGuild(guildId, state)),
  };
}

function viewLedGuild(guildId: number, state: object): LedGuild {
  const { name = null, abbr = null } = state as Partial<LedGuild>;
  return { guildId, name, abbr };
}
