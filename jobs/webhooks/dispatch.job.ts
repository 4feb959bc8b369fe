import { dispatchToHooks } from "../../shared/webhooks/hooks/dispatch.ts";
import { defineJob } from "../job.ts";

export const dispatchWebhooksJob = defineJob({
  queue: "webhook.dispatch",
  run: ({ pushId }, context) => dispatchToHooks(pushId, context),
});
