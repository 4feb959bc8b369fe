import { runSyncJob } from "../../shared/survival/pushes/delivery/work-push.ts";
import { defineJob } from "../job.ts";

export const syncServerJob = defineJob({
  queue: "survival.push",
  run: ({ serverId, name }, context) => runSyncJob({ serverId, name }, context),
});
