import { drainRelay } from "../../shared/push/dispatch/drain.ts";
import { defineJob } from "../job.ts";

export const sendPushesJob = defineJob({
  queue: "push.send",
  run: ({ origin }, context, { signal }) => drainRelay(origin, context, signal),
});
