import { drainHook } from "../../shared/webhooks/sending/drain-hook.ts";
import { defineJob } from "../job.ts";

export const sendWebhookJob = defineJob({
  queue: "webhook.send",
  run: ({ webhookId }, context, { signal }) => drainHook(webhookId, context, signal),
});
