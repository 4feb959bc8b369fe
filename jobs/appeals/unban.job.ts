import { carryOutUnban, failUnban } from "../../shared/appeals/unban.ts";
import { defineJob } from "../job.ts";

export const unbanJob = defineJob({
  queue: "appeals.unban",
  run: carryOutUnban,
  onExhausted: async (payload, context, last) => {
    if (payload) await failUnban(payload, last, context);
  },
});
