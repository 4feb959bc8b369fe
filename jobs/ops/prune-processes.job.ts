import { pruneProcesses } from "../../shared/platform/job-records/processes.ts";
import { defineJob } from "../job.ts";

export const pruneProcessesJob = defineJob({
  queue: "ops.prune-processes",
  run: (_payload, { models }) => pruneProcesses(models),
});
