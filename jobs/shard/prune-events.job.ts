import { makeParts } from "../../shared/shard/log/make-parts.ts";
import { noteFullParts } from "../../shared/shard/log/note-full-parts.ts";
import { shrinkParts } from "../../shared/shard/log/shrink-parts.ts";
import { forgetChanges } from "../../shared/shard/searches/changed-listings.ts";
import { pruneEvents } from "../../shared/shard/streams/prune-events.ts";
import { defineJob } from "../job.ts";

export const pruneEventsJob = defineJob({
  queue: "shard.prune-events",
  run: async (_payload, context) => {
    const { sequelize } = context;
    const made = await makeParts(sequelize);
    await forgetChanges(context);
    // Prune first, because expired events need not be noted.
    const pruned = await pruneEvents(context);
    const noted = await noteFullParts(sequelize);
    return { made, noted, ...pruned, ...(await shrinkParts(sequelize)) };
  },
});
