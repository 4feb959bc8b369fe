import type { RandomSource } from "../random.ts";
import { guildName } from "./names.ts";
import type { Character } from "./people.ts";

export interface Guild {
  readonly guildId: number;
  readonly name: string;
  readonly abbr: string;
  readonly type: "Regular" | "Chaos" | "Order";
  readonly leader: Character | null;
  readonly members: Set<Character>;
}

/**
 * Creates a guild that its founder leads. With `awkward`, the guild has an awkward name and a
 * deleted leader.
 */
export function createGuild(
  guildId: number,
  founder: Character,
  random: RandomSource,
  awkward = false,
): Guild {
  const name = awkward ? "<Fallen> & O'Dea's" : guildName(random);
  founder.guildId = guildId;
  return {
    guildId,
    name,
    abbr: name
      .replaceAll(/[^A-Z]/g, "")
      .slice(0, 4)
      .padEnd(2, "G"),
    type: random.pick(["Regular", "Regular", "Chaos", "Order"] as const),
    leader: awkward ? null : founder,
    members: new Set([founder]),
  };
}

export const guildRow = (guild: Guild): Record<string, unknown> => ({
  guildId: guild.guildId,
  name: guild.name,
  abbr: guild.abbr,
  type: guild.type,
  leader: guild.leader && {
    serial: guild.leader.serial,
    acct: guild.leader.account.name,
  },
  memberCount: guild.members.size,
});
