import { sweepSyncs } from "../../shared/survival/pushes/delivery/work-push.ts";
import { defineJob } from "../job.ts";

export const sweepSyncsJob = defineJob({
  queue: "survival.sweep-pushes",
  run: (_nothing, context) => sweepSyncs(context),
});
