import { sweepPushes } from "../../shared/survival/pushes/delivery/work-push.ts";
import { defineJob } from "../job.ts";

export const sweepPushesToServersJob = defineJob({
  queue: "survival.sweep-pushes",
  run: (_nothing, context) => sweepPushes(context),
});
