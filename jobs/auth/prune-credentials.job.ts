import { pruneCredentials } from "../../shared/auth/sessions/prune-credentials.ts";
import { storeMissingFoldedNames } from "../../shared/auth/users/users.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { defineJob } from "../job.ts";

export const pruneCredentialsJob = defineJob({
  queue: "auth.prune-credentials",
  run: async (_payload, context) => {
    await inTransaction(context.sequelize, storeMissingFoldedNames);
    return pruneCredentials(context);
  },
});
