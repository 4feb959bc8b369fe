import { makeParts } from "../../shared/shard/log/make-parts.ts";
import { noteFullParts } from "../../shared/shard/log/note-full-parts.ts";
import { shrinkParts } from "../../shared/shard/log/shrink-parts.ts";
import { forgetChanges } from "../../shared/shard/searches/forget-changes.ts";
import { pruneEvents } from "../../shared/shard/streams/prune-events.ts";
import { defineJob } from "../job.ts";

export const pruneEventsJob = defineJob({
  queue: "shard.prune-events",
  run: async (_payload, context) => {
    const { sequelize } = context;
    const made = await makeParts(sequelize);
    const noted = await noteFullParts(sequelize);
    await forgetChanges(context);
    return { made, noted, ...(await pruneEvents(context)), ...(await shrinkParts(sequelize)) };
  },
});
