import { pruneProcesses } from "../../shared/ops/processes.ts";
import { defineJob } from "../job.ts";

export const pruneProcessesJob = defineJob({
  queue: "ops.prune-processes",
  run: (_payload, { sequelize }) => pruneProcesses(sequelize),
});
