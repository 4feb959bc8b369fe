import { defineJob } from "../job.ts";

export const enqueueResetMailsJob = defineJob({
  queue: "auth.order-reset-mails",
  run: async (request, context) => (await loadPasswordReset()).enqueueResetMails(request, context),
});

// The module is loaded on first use, because it loads all of sign-in, which a worker otherwise does not need.
const loadPasswordReset = () => import("../../shared/auth/account/password-reset.ts");
