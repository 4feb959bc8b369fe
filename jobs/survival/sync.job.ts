import { runSyncJob } from "../../shared/survival/sync/delivery/run-sync.ts";
import { defineJob } from "../job.ts";

export const syncServerJob = defineJob({
  queue: "survival.push",
  run: ({ serverId, name }, context) => runSyncJob({ serverId, name }, context),
});
