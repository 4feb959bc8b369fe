import { dispatchToHooks } from "../../shared/webhooks/hooks/dispatch.ts";
import { defineJob } from "../job.ts";

export const dispatchToHooksJob = defineJob({
  queue: "webhook.dispatch",
  run: ({ pushId }, context) => dispatchToHooks(pushId, context),
});
