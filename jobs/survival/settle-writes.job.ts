import { markOverdueWritesLost } from "../../shared/survival/config/write-rows.ts";
import { defineJob } from "../job.ts";

export const expireConfigWritesJob = defineJob({
  queue: "survival.settle-writes",
  run: (_payload, { sequelize }) => markOverdueWritesLost(sequelize),
});
