import { checkProviders } from "../../shared/auth/providers/providers.ts";
import { defineJob } from "../job.ts";

export const checkProvidersJob = defineJob({
  queue: "auth.check-providers",
  run: (_payload, context) => checkProviders(context),
});
