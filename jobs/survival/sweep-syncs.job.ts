import { sweepSyncs } from "../../shared/survival/sync/delivery/run-sync.ts";
import { defineJob } from "../job.ts";

export const sweepSyncsJob = defineJob({
  queue: "survival.sweep-pushes",
  run: (_nothing, context) => sweepSyncs(context),
});
