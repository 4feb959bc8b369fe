import { defineJob } from "../job.ts";

export const orderResetMailsJob = defineJob({
  queue: "auth.order-reset-mails",
  run: async (request, context) => (await loadPasswordReset()).orderResetMails(request, context),
});

// All of sign-in comes with it, of which a worker needs nothing else.
const loadPasswordReset = () => import("../../shared/auth/account/password-reset.ts");
