import { orderResetMails } from "../../shared/auth/passwords/password-reset.ts";
import { defineJob } from "../job.ts";

export const orderResetMailsJob = defineJob({
  queue: "auth.order-reset-mails",
  run: (request, context) => orderResetMails(request, context),
});
