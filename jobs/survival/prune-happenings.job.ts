import { pruneHappenings } from "../../shared/survival/feed/prune-happenings.ts";
import { defineJob } from "../job.ts";

export const pruneHappeningsJob = defineJob({
  queue: "survival.prune-happenings",
  run: (_nothing, context) => pruneHappenings(context),
});
