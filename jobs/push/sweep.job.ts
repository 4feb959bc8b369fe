import { sweepPushes } from "../../shared/push/dispatch/drain.ts";
import { sweepDeliveries } from "../../shared/webhooks/sending/drain-hook.ts";
import { defineJob } from "../job.ts";

export const sweepPushesJob = defineJob({
  queue: "push.sweep",
  run: async (_payload, context) => {
    await sweepPushes(context);
    await sweepDeliveries(context);
  },
});
