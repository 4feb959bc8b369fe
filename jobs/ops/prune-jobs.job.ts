import { pruneJobs } from "../../shared/platform/job-records/failed-jobs.ts";
import { defineJob } from "../job.ts";

export const pruneJobsJob = defineJob({
  queue: "ops.prune-jobs",
  run: async (_payload, context) => {
    await pruneJobs(context);
  },
});
