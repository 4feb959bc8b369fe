import { sendOrderedMail } from "../../shared/auth/delivery/send-mail.ts";
import { defineJob } from "../job.ts";

export const sendMailJob = defineJob({
  queue: "auth.send-mail",
  run: (order, context) => sendOrderedMail(order, context),
});
