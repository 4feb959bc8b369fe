import { pruneActivity } from "../../shared/site/prune-activity.ts";
import { defineJob } from "../job.ts";

export const pruneActivityJob = defineJob({
  queue: "site.prune-activity",
  run: (_payload, context) => pruneActivity(context),
});
