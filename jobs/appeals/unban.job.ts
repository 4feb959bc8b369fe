import { carryOutUnban, giveUpUnban } from "../../shared/appeals/unban.ts";
import { defineJob } from "../job.ts";

export const unbanJob = defineJob({
  queue: "appeals.unban",
  run: ({ appealId }, context) => carryOutUnban(appealId, context),
  onExhausted: async (payload, context, { cause }) => {
    if (payload) await giveUpUnban(payload.appealId, cause, context);
  },
});
