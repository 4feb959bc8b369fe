import { sendQueuedMail } from "../../shared/auth/account/account-mails.ts";
import { defineJob } from "../job.ts";

export const sendMailJob = defineJob({
  queue: "auth.send-mail",
  run: (order, context) => sendQueuedMail(order, context),
});
