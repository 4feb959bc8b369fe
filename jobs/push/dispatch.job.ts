import { dispatchPush } from "../../shared/push/dispatch/dispatch.ts";
import { scheduleHookDispatch } from "../../shared/webhooks/hooks/dispatch.ts";
import { defineJob } from "../job.ts";

export const dispatchPushJob = defineJob({
  queue: "push.dispatch",
  run: ({ pushId }, context, { signal }) =>
    dispatchPush(pushId, { context, signal, after: scheduleHookDispatch }),
});
