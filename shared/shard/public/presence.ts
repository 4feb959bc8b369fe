import { col, fn } from "sequelize";

import type { Role } from "../../../models/auth/user.ts";
import type { OnlineCharacter } from "../../../models/shard/online-character.ts";
import type { Context } from "../../platform/context.ts";
import type { ShardContext } from "../context.ts";
import type { FieldAccessCheck } from "../visibility/view.ts";
import { readShardStatus } from "./status.ts";

export interface Presence {
  readonly count: number;
  readonly facets: Readonly<Record<string, number>>;
  /** Absent if the rule for `byRegion` hides the counts. */
  readonly regions?: Readonly<Record<string, number>>;
}

const shown = ["serial", "name", "map", "x", "y", "z"] as const;
export type OnlinePlayer = Readonly<Pick<OnlineCharacter, (typeof shown)[number]>>;

interface StoredPresence {
  readonly count: number;
  readonly byMap?: Readonly<Record<string, number>> | null;
  readonly byRegion?: Readonly<Record<string, number>> | null;
}

const nobody: StoredPresence = { count: 0 };

/** Reads the counts of online characters; zero while no game process is connected. */
export async function readPresence(
  maySee: FieldAccessCheck,
  context: ShardContext,
): Promise<Presence> {
  const { count, byMap, byRegion } = await readStored(context);
  return { count, facets: byMap ?? {}, ...(maySee("byRegion") && { regions: byRegion ?? {} }) };
}

async function readStored({ sequelize, models }: Context): Promise<StoredPresence> {
  const { pluginConnected } = await readShardStatus(sequelize);
  if (!pluginConnected) return nobody;
  const fact = await models.ShardFact.findByPk("presence", { attributes: ["value"], raw: true });
  return (fact?.value as StoredPresence | undefined) ?? nobody;
}

/** Reads online characters of linked accounts, sorted by name. @param userId limits the result to one user */
export async function readOnlinePlayers(
  { sequelize, models }: Context,
  userId?: number,
): Promise<OnlinePlayer[]> {
  const { pluginConnected } = await readShardStatus(sequelize);
  if (!pluginConnected) return [];
  const ofUser = userId === undefined ? {} : { userId };
  return models.OnlineCharacter.findAll({
    attributes: [...shown],
    include: [{ association: "link", attributes: [], where: ofUser, required: true }],
    order: [fn("lower", col("name")), "serial"],
    raw: true,
  });
}

/** Returns a character for the API. Only moderators and admins see the location. @param role null for anonymous */
export const viewOnlinePlayer = (player: OnlinePlayer, role: Role | null): object =>
  seesLocation(role) ? player : { serial: player.serial, name: player.name };

const seesLocation = (role: Role | null): boolean => role === "admin" || role === "moderator";
