import { logFailedUnlinking, unlinkDeletedUser } from "../../shared/shard/links/unlinking.ts";
import { defineJob } from "../job.ts";

export const unlinkUserJob = defineJob({
  queue: "shard.unlink-user",
  run: ({ userId }, context) => unlinkDeletedUser(userId, context),
  onExhausted: async (payload, context, last) => {
    if (payload) await logFailedUnlinking(payload.userId, last, context);
  },
});
