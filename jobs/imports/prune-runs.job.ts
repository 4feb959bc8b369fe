import { pruneRuns } from "../../shared/imports/runs.ts";
import { defineJob } from "../job.ts";

export const pruneRunsJob = defineJob({
  queue: "imports.prune-runs",
  run: (_payload, { sequelize }) => pruneRuns(sequelize),
});
