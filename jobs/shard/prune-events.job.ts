import { createPartitions } from "../../shared/shard/event-partitions/create-partitions.ts";
import { copyFullPartitionKeys } from "../../shared/shard/event-partitions/note-full-partitions.ts";
import { shrinkPartitions } from "../../shared/shard/event-partitions/shrink-partitions.ts";
import { deleteOldChangedListings } from "../../shared/shard/searches/changed-listings.ts";
import { pruneEvents } from "../../shared/shard/streams/prune-events.ts";
import { defineJob } from "../job.ts";

export const pruneEventsJob = defineJob({
  queue: "shard.prune-events",
  run: async (_payload, context) => {
    const { sequelize } = context;
    const made = await createPartitions(sequelize);
    await deleteOldChangedListings(context);
    // Delete expired events first, so that their keys need not be copied to the dedupe tables.
    const pruned = await pruneEvents(context);
    const noted = await copyFullPartitionKeys(sequelize);
    return { made, noted, ...pruned, ...(await shrinkPartitions(sequelize)) };
  },
});
