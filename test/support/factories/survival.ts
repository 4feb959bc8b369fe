import { type Attributes, type CreationAttributes, Op, type WhereOptions } from "sequelize";

import { clockNowPlus } from "../../../models/queries/clock.ts";
import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import type { SteamLink } from "../../../models/survival/players/steam-link.ts";
import type { SurvivalServerState } from "../../../models/survival/survival-server-state.ts";
import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import { sourceNameOf } from "../../../shared/survival/server-locks.ts";
import type { DatabaseHolder } from "../database/query.ts";

let made = 0;

/** Inserts a survival server. By default it is listed and disabled. */
export async function buildSurvivalServer(
  { context }: DatabaseHolder,
  given: Partial<CreationAttributes<SurvivalServer>> = {},
): Promise<SurvivalServer> {
  made += 1;
  const { SurvivalServer: Server, IngestSource } = context.models;
  const server = await Server.create({ slug: `server-${made}`, name: `Server ${made}`, ...given });
  await IngestSource.create({ source: sourceNameOf(server.id) });
  return server;
}

/** Changes servers without notifying the processes. By default it changes all servers. */
export const changeSurvivalServers = async (
  { context }: DatabaseHolder,
  changes: Partial<Attributes<SurvivalServer>>,
  where: WhereOptions<Attributes<SurvivalServer>> = {},
): Promise<void> => void (await context.models.SurvivalServer.update(changes, { where }));

export const deleteOtherServers = async (
  { context }: DatabaseHolder,
  serverId: number,
): Promise<void> => {
  const where = { id: { [Op.ne]: serverId } };
  await context.models.SurvivalServer.destroy({ where });
};

/** Changes the state that a server reported last. */
export const changeSurvivalState = async (
  { context }: DatabaseHolder,
  serverId: number,
  changes: Partial<Attributes<SurvivalServerState>>,
): Promise<void> =>
  void (await context.models.SurvivalServerState.update(changes, { where: { serverId } }));

/** Changes the row in which ingest stores the cursor and the connection state of a server. */
export const changeSurvivalSource = async (
  { context }: DatabaseHolder,
  serverId: number,
  changes: Partial<Attributes<IngestSource>>,
): Promise<void> => {
  const source = sourceNameOf(serverId);
  await context.models.IngestSource.update(changes, { where: { source } });
};

/** Lets the deadline pass by which a game server must report the outcome of a configuration write. */
export const endConfigWait = async (
  { context }: DatabaseHolder,
  writeId: string,
): Promise<void> => {
  const changes = { settleBy: clockNowPlus(-1_000) };
  await context.models.SurvivalConfigWrite.update(changes, { where: { writeId } });
};

/** Inserts the verified Steam account of a user. By default its name is Anna. */
export const buildSteamLink = (
  { context }: DatabaseHolder,
  given: Partial<CreationAttributes<SteamLink>> & Pick<SteamLink, "steamId" | "userId">,
): Promise<SteamLink> =>
  context.models.SteamLink.create({ name: "Anna", serverId: null, ...given });
