import { pruneCredentials } from "../../shared/auth/prune-credentials.ts";
import { defineJob } from "../job.ts";

export const pruneCredentialsJob = defineJob({
  queue: "auth.prune-credentials",
  run: (_payload, context) => pruneCredentials(context),
});
