import { followTallies } from "../../shared/survival/titles/title-push.ts";
import { defineJob } from "../job.ts";

export const followTalliesJob = defineJob({
  queue: "survival.titles",
  run: ({ serverId }, context) => followTallies(serverId, context),
});
