import { markOverdueLost } from "../../shared/survival/config/write-rows.ts";
import { defineJob } from "../job.ts";

export const settleWritesJob = defineJob({
  queue: "survival.settle-writes",
  run: (_payload, { sequelize }) => markOverdueLost(sequelize),
});
