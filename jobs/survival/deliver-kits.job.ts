import { deliverKits } from "../../shared/survival/rewards/deliver-kits.ts";
import { notifyKits } from "../../shared/survival/rewards/notify-kits.ts";
import { defineJob } from "../job.ts";

export const deliverKitsJob = defineJob({
  queue: "survival.deliver-kits",
  run: async ({ serverId }, context, { signal }) => {
    if (serverId !== undefined) await notifyKits(serverId, context);
    await deliverKits(serverId, context, signal);
  },
});
