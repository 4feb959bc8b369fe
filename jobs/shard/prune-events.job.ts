import { forgetChanges } from "../../shared/shard/searches/forget-changes.ts";
import { pruneEvents } from "../../shared/shard/streams/prune-events.ts";
import { defineJob } from "../job.ts";

export const pruneEventsJob = defineJob({
  queue: "shard.prune-events",
  run: async (_payload, context) => {
    await forgetChanges(context);
    return pruneEvents(context);
  },
});
