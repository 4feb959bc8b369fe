import { requestSyncIfChanged } from "../../shared/survival/titles/title-sync.ts";
import { defineJob } from "../job.ts";

export const updateTitlesJob = defineJob({
  queue: "survival.titles",
  run: ({ serverId }, context) => requestSyncIfChanged(serverId, context),
});
