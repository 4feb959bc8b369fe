import type { Attributes, CreationAttributes } from "sequelize";

import type { GameAccountLink } from "../../../models/shard/game-account-link.ts";
import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import type { ShardConnection } from "../../../models/shard/shard-connection.ts";
import type { DatabaseHolder } from "../database/query.ts";

/**
 * Links a game account to a user in the service's database only. The shard does not know the link.
 */
export const buildShardLink = (
  { context }: DatabaseHolder,
  {
    account,
    ...given
  }: Partial<CreationAttributes<GameAccountLink>> & Pick<GameAccountLink, "account" | "userId">,
): Promise<GameAccountLink> =>
  context.models.ShardLink.create({
    accountKey: account.toLowerCase(),
    account,
    linkedAt: new Date(),
    ...given,
  });

/** Changes the link to the sidecar without notifying the processes. */
export const changeSidecarLink = async (
  { context }: DatabaseHolder,
  changes: Partial<Attributes<ShardConnection>>,
): Promise<void> => void (await context.models.SidecarLink.update(changes, { where: {} }));

export const ingestSourceOf = ({ context }: DatabaseHolder): Promise<IngestSource> =>
  context.models.IngestSource.findByPk("shard", { rejectOnEmpty: true });

/** Changes the row in which ingest stores its cursor and the state of the shard. */
export const changeIngestSource = async (
  { context }: DatabaseHolder,
  changes: Partial<Attributes<IngestSource>>,
): Promise<void> =>
  void (await context.models.IngestSource.update(changes, { where: { source: "shard" } }));

export const storeClilocs = async (
  { context }: DatabaseHolder,
  texts: Readonly<Record<number, string>>,
): Promise<void> => {
  const clilocs = Object.entries(texts).map(([number, text]) => ({ number: Number(number), text }));
  await context.models.Cliloc.bulkCreate(clilocs);
};
