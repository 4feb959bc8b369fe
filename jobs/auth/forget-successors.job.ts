import { clearSuccessors } from "../../shared/auth/sessions/clear-successors.ts";
import { defineJob } from "../job.ts";

export const forgetSuccessorsJob = defineJob({
  queue: "auth.forget-successors",
  run: (_payload, context) => clearSuccessors(context),
});
