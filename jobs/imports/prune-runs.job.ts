import { pruneImportRuns } from "../../shared/imports/runs/runs.ts";
import { defineJob } from "../job.ts";

export const pruneImportRunsJob = defineJob({
  queue: "imports.prune-runs",
  run: (_payload, context) => pruneImportRuns(context),
});
