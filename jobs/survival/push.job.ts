import { workPush } from "../../shared/survival/pushes/delivery/work-push.ts";
import { defineJob } from "../job.ts";

export const pushToServerJob = defineJob({
  queue: "survival.push",
  run: ({ serverId, name }, context) => workPush({ serverId, name }, context),
});
