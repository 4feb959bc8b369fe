import { clearTokenSuccessors } from "../../shared/auth/sessions/clear-successors.ts";
import { defineJob } from "../job.ts";

export const clearTokenSuccessorsJob = defineJob({
  queue: "auth.forget-successors",
  run: (_payload, context) => clearTokenSuccessors(context),
});
