import type { QueueName } from "../shared/queue/queues.ts";
import { orderResetMailsJob } from "./auth/order-reset-mails.job.ts";
import { pruneCredentialsJob } from "./auth/prune-credentials.job.ts";
import { sendMailJob } from "./auth/send-mail.job.ts";
import { importAssetsJob } from "./imports/assets.job.ts";
import { importAtlasJob } from "./imports/atlas.job.ts";
import { importClilocsJob } from "./imports/clilocs.job.ts";
import { warmItemArtJob } from "./imports/item-art.job.ts";
import { pruneRunsJob } from "./imports/prune-runs.job.ts";
import type { Job } from "./job.ts";
import { pruneProcessesJob } from "./ops/prune-processes.job.ts";
import { pruneEventsJob } from "./shard/prune-events.job.ts";
import { unlinkUserJob } from "./shard/unlink-user.job.ts";

/** THE map of queue to job: it does not compile while a queue of the catalogue lacks one. */
export const jobs = {
  "shard.prune-events": pruneEventsJob,
  "shard.unlink-user": unlinkUserJob,
  "ops.prune-processes": pruneProcessesJob,
  "auth.prune-credentials": pruneCredentialsJob,
  "auth.order-reset-mails": orderResetMailsJob,
  "auth.send-mail": sendMailJob,
  "imports.atlas": importAtlasJob,
  "imports.clilocs": importClilocsJob,
  "imports.assets": importAssetsJob,
  "imports.item-art": warmItemArtJob,
  "imports.prune-runs": pruneRunsJob,
} as const satisfies { readonly [Name in QueueName]: Job<Name> };
