import { pruneEvents } from "../../shared/shard/streams/prune-events.ts";
import { defineJob } from "../job.ts";

export const pruneEventsJob = defineJob({
  queue: "shard.prune-events",
  run: (_payload, context) => pruneEvents(context),
});
