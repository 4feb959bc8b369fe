import type { QueueName } from "../shared/platform/queue/queues.ts";
import { unbanJob } from "./appeals/unban.job.ts";
import { checkProvidersJob } from "./auth/check-providers.job.ts";
import { clearTokenSuccessorsJob } from "./auth/forget-successors.job.ts";
import { enqueueResetMailsJob } from "./auth/order-reset-mails.job.ts";
import { pruneCredentialsJob } from "./auth/prune-credentials.job.ts";
import { sendMailJob } from "./auth/send-mail.job.ts";
import { announcePostsJob } from "./content/announce-posts.job.ts";
import { pruneWordsJob } from "./content/prune-words.job.ts";
import { renderTextsJob } from "./content/render-texts.job.ts";
import { createScheduledRunsJob } from "./events/materialise.job.ts";
import { runStepJob } from "./events/step.job.ts";
import { countTriggersJob } from "./events/trigger.job.ts";
import { importAssetsJob } from "./imports/assets.job.ts";
import { importAtlasJob } from "./imports/atlas.job.ts";
import { importClilocsJob } from "./imports/clilocs.job.ts";
import { warmItemArtJob } from "./imports/item-art.job.ts";
import { renderMapJob } from "./imports/map-render.job.ts";
import { fetchMapJob } from "./imports/map.job.ts";
import { pruneImportRunsJob } from "./imports/prune-runs.job.ts";
import type { Job } from "./job.ts";
import { pruneJobsJob } from "./ops/prune-jobs.job.ts";
import { pruneCommandsAndKeysJob } from "./ops/prune-plugins.job.ts";
import { pruneProcessesJob } from "./ops/prune-processes.job.ts";
import { dispatchPushJob } from "./push/dispatch.job.ts";
import { sendPushesJob } from "./push/send.job.ts";
import { sweepPushesJob } from "./push/sweep.job.ts";
import { matchListingsJob } from "./shard/match-listings.job.ts";
import { pruneEventsJob } from "./shard/prune-events.job.ts";
import { unlinkUserJob } from "./shard/unlink-user.job.ts";
import { pruneActivityJob } from "./site/prune-activity.job.ts";
import { deliverKitsJob } from "./survival/deliver-kits.job.ts";
import { expireGrantsJob } from "./survival/expire-grants.job.ts";
import { fetchMapImageJob } from "./survival/fetch-map.job.ts";
import { maintainZonesJob } from "./survival/hold-zones.job.ts";
import { computeTotalsJob } from "./survival/keep-standings.job.ts";
import { pruneSurvivalEventsJob } from "./survival/prune-records.job.ts";
import { expireConfigWritesJob } from "./survival/settle-writes.job.ts";
import { sweepSyncsJob } from "./survival/sweep-syncs.job.ts";
import { syncServerJob } from "./survival/sync.job.ts";
import { updateTitlesJob } from "./survival/titles.job.ts";
import { dispatchWebhooksJob } from "./webhooks/dispatch.job.ts";
import { sendWebhookJob } from "./webhooks/send.job.ts";

/** THE map of queue to job. Its type requires a job for each queue of the catalog. */
export const jobs: { readonly [Name in QueueName]: Job<Name> } = {
  "shard.prune-events": pruneEventsJob,
  "shard.unlink-user": unlinkUserJob,
  "appeals.unban": unbanJob,
  "ops.prune-plugins": pruneCommandsAndKeysJob,
  "ops.prune-processes": pruneProcessesJob,
  "ops.prune-jobs": pruneJobsJob,
  "auth.prune-credentials": pruneCredentialsJob,
  "auth.forget-successors": clearTokenSuccessorsJob,
  "auth.check-providers": checkProvidersJob,
  "site.prune-activity": pruneActivityJob,
  "content.announce-posts": announcePostsJob,
  "content.render-texts": renderTextsJob,
  "content.prune-words": pruneWordsJob,
  "auth.order-reset-mails": enqueueResetMailsJob,
  "auth.send-mail": sendMailJob,
  "push.dispatch": dispatchPushJob,
  "push.send": sendPushesJob,
  "push.sweep": sweepPushesJob,
  "market.match": matchListingsJob,
  "webhook.dispatch": dispatchWebhooksJob,
  "webhook.send": sendWebhookJob,
  "event.step": runStepJob,
  "event.trigger": countTriggersJob,
  "event.materialise": createScheduledRunsJob,
  "survival.push": syncServerJob,
  "survival.titles": updateTitlesJob,
  "survival.expire-grants": expireGrantsJob,
  "survival.sweep-pushes": sweepSyncsJob,
  "survival.keep-standings": computeTotalsJob,
  "survival.prune-happenings": pruneSurvivalEventsJob,
  "survival.settle-writes": expireConfigWritesJob,
  "survival.deliver-kits": deliverKitsJob,
  "survival.hold-zones": maintainZonesJob,
  "imports.atlas": importAtlasJob,
  "imports.clilocs": importClilocsJob,
  "imports.assets": importAssetsJob,
  "imports.item-art": warmItemArtJob,
  "imports.map": fetchMapJob,
  "imports.map-render": renderMapJob,
  "imports.prune-runs": pruneImportRunsJob,
  "survival.fetch-map": fetchMapImageJob,
};
