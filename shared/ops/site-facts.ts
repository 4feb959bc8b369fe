import type { ImportRun } from "../../models/imports/import-run.ts";
import { computeColumn, readPlainRows } from "../../models/queries/plain-rows.ts";
import type { IngestSource } from "../../models/shard/ingest-source.ts";
import { type ImportReview, readImportReviews } from "../imports/runs/runs.ts";
import type { Context } from "../platform/context.ts";
import { type QueueStates, readAllQueueHealth } from "../platform/job-records/queue-health.ts";
import { type PluginCounts, readPluginCounts } from "../platform/plugin/inbox.ts";
import { type PartitionState, readPartitionState } from "../shard/event-partitions/partitions.ts";
import { readShardStatus, type ShardStatus } from "../shard/public/status.ts";
import { countOmissions } from "../survival/storage/omissions.ts";
import { readWebhookStats, type WebhookStats } from "../webhooks/hooks/deliveries.ts";
import type { SiteContext } from "./site-context.ts";

type IngestTotals = Readonly<Pick<IngestSource, (typeof totals)[number]>>;

interface SourceTotals {
  /** The number of rows that ingest dropped from frames of survival servers because of an invalid value. */
  readonly rowsLeftOut: number;
}

const totals = ["received", "stored", "duplicates", "rejected", "gaps", "unknownLinks"] as const;

/** Measurements of the whole site. Every process would measure the same. */
export interface SiteMeasurements {
  readonly report: QueueReport;
  readonly shard: ShardStatus;
  readonly ingest: IngestTotals;
  readonly allSources: SourceTotals;
  /** The last success of each kind of import, in seconds since 1970. */
  readonly imports: readonly (Readonly<Pick<ImportRun, "kind">> & { readonly at: number })[];
  readonly bans: number;
  readonly webhooks: WebhookStats;
  readonly plugins: PluginCounts;
  readonly eventLog: PartitionState;
}

export async function readSiteMeasurements(context: SiteContext): Promise<SiteMeasurements> {
  const { sequelize } = context;
  const [report, shard, ingest, allSources, imports, bans, webhooks, plugins, eventLog] =
    await Promise.all([
      readQueueReport(context),
      readShardStatus(sequelize),
      readIngestTotals(context),
      readAllTotals(context),
      readImports(context),
      countBans(context),
      readWebhookStats(sequelize),
      readPluginCounts(sequelize),
      readPartitionState(sequelize),
    ]);
  return { report, shard, ingest, allSources, imports, bans, webhooks, plugins, eventLog };
}

async function readIngestTotals({ models }: Context): Promise<IngestTotals> {
  return models.IngestSource.findByPk("shard", {
    attributes: [...totals],
    rejectOnEmpty: true,
    raw: true,
  });
}

async function readAllTotals({ models, sequelize }: Context): Promise<SourceTotals> {
  const [odd, beyondBounds] = await Promise.all([
    models.IngestSource.sum("rowsLeftOut"),
    countOmissions(sequelize),
  ]);
  return { rowsLeftOut: odd + beyondBounds };
}

type ImportedAt = SiteMeasurements["imports"][number];

const readImports = ({ models }: Context): Promise<ImportedAt[]> =>
  readPlainRows(models.ImportRun.scope("endedWell"), {
    columns: ["kind"],
    computed: { at: computeColumn<number>("extract(epoch from max(finished_at))::float8") },
    group: ["kind"],
  });

const countBans = ({ models }: Context): Promise<number> =>
  models.AddressReputation.scope("banned").count();

interface QueueReport extends QueueStates {
  readonly reviews: readonly ImportReview[];
}

export async function readQueueReport(
  context: Pick<Context, "sequelize" | "models">,
): Promise<QueueReport> {
  const [now, reviews] = await Promise.all([
    readAllQueueHealth(context),
    readImportReviews(context.sequelize),
  ]);
  return { ...now, reviews };
}
