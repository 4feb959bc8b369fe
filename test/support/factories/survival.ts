import { type Attributes, type CreationAttributes, Op, type WhereOptions } from "sequelize";

import { clockAfter } from "../../../models/queries/clock.ts";
import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import type { SteamLink } from "../../../models/survival/players/steam-link.ts";
import type { SurvivalServerState } from "../../../models/survival/survival-server-state.ts";
import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import { sourceNameOf } from "../../../shared/survival/server-rows.ts";
import type { OnDatabase } from "../database/query.ts";

let made = 0;

/** By default one that is listed and off, as ingest knows it. */
export async function buildSurvivalServer(
  { context }: OnDatabase,
  given: Partial<CreationAttributes<SurvivalServer>> = {},
): Promise<SurvivalServer> {
  made += 1;
  const { SurvivalServer: Server, IngestSource } = context.models;
  const server = await Server.create({ slug: `server-${made}`, name: `Server ${made}`, ...given });
  await IngestSource.create({ source: sourceNameOf(server.id) });
  return server;
}

/** Changes the rows alone, of all servers by default: nobody is told. */
export const changeSurvivalServers = async (
  { context }: OnDatabase,
  changes: Partial<Attributes<SurvivalServer>>,
  where: WhereOptions<Attributes<SurvivalServer>> = {},
): Promise<void> => void (await context.models.SurvivalServer.update(changes, { where }));

export const deleteOtherServers = async (
  { context }: OnDatabase,
  serverId: number,
): Promise<void> => {
  const where = { id: { [Op.ne]: serverId } };
  await context.models.SurvivalServer.destroy({ where });
};

/** Changes what a server said of itself last. */
export const changeSurvivalState = async (
  { context }: OnDatabase,
  serverId: number,
  changes: Partial<Attributes<SurvivalServerState>>,
): Promise<void> =>
  void (await context.models.SurvivalServerState.update(changes, { where: { serverId } }));

/** Changes how far a server was read and how its socket stands. */
export const changeSurvivalSource = async (
  { context }: OnDatabase,
  serverId: number,
  changes: Partial<Attributes<IngestSource>>,
): Promise<void> => {
  const source = sourceNameOf(serverId);
  await context.models.IngestSource.update(changes, { where: { source } });
};

/** Has the time of a write of a configuration be over. */
export const endConfigWait = async ({ context }: OnDatabase, writeId: string): Promise<void> => {
  const changes = { settleBy: clockAfter(-1_000) };
  await context.models.SurvivalConfigWrite.update(changes, { where: { writeId } });
};

/** A Steam account that a user has shown to be his own: by default that of one named Anna. */
export const buildSteamLink = (
  { context }: OnDatabase,
  given: Partial<CreationAttributes<SteamLink>> & Pick<SteamLink, "steamId" | "userId">,
): Promise<SteamLink> =>
  context.models.SteamLink.create({ name: "Anna", serverId: null, ...given });
