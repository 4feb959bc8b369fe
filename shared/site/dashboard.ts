import { Op } from "sequelize";

import type { Role } from "../../models/auth/user.ts";
import { clockNowPlus } from "../../models/queries/clock.ts";
import { roles } from "../platform/access/roles.ts";
import type { Context } from "../platform/context.ts";
import { firstRow } from "../platform/db/rows.ts";
import { readShardStatus, type ShardStatus } from "../shard/public/status.ts";
import type { SurvivalContext } from "../survival/context.ts";

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** CATALOGUE of the staff dashboard's counts, from stored data. */
const counts = {
  posts: countPosts,
  users: countUsers,
  appeals: async ({ models }: Context) => ({
    open: await models.Appeal.scope("open").count(),
  }),
  reports: countWaitingReports,
  pages: countHelpPages,
  shard: ({ sequelize }: Context): Promise<ShardStatus> => readShardStatus(sequelize),
  jobs: countJobs,
} as const;

export async function readDashboard(context: SurvivalContext): Promise<object> {
  const parts = Object.entries(counts).map(async ([name, count]): Promise<[string, unknown]> => [
    name,
    await count(context),
  ]);
  return Object.fromEntries(await Promise.all(parts));
}

async function countPosts({ models: { Post } }: SurvivalContext) {
  const [published, draft, scheduled, latest] = await Promise.all([
    Post.scope("visible").count(),
    Post.scope("draft").count(),
    Post.scope("scheduled").count(),
    Post.scope("visible").findAll({
      attributes: ["id", "slug", "title", "publishedAt"],
      order: [
        ["publishedAt", "DESC"],
        ["id", "DESC"],
      ],
      limit: 5,
      raw: true,
    }),
  ]);
  return { published, draft, scheduled, latest };
}

async function countUsers({ models: { User, ActivityEntry } }: SurvivalContext) {
  const since = { [Op.gt]: clockNowPlus(-weekMs) };
  const [found, new7d, active7d] = await Promise.all([
    User.count({ group: ["role"] }),
    User.count({ where: { createdAt: since } }),
    ActivityEntry.count({
      where: { action: "auth.login.success", at: since, actorId: { [Op.ne]: null } },
      distinct: true,
      col: "actorId",
    }),
  ]);
  const counted = new Map(found.map(({ role, count }) => [role as Role, count]));
  const byRole = Object.fromEntries(roles.map((role) => [role, counted.get(role) ?? 0]));
  const total = Object.values(byRole).reduce((sum, count) => sum + count, 0);
  return { total, active7d, new7d, byRole };
}

async function countWaitingReports({ models: { SurvivalReport } }: Context) {
  const [open, seen] = await Promise.all([
    SurvivalReport.scope("open").count(),
    SurvivalReport.scope("seen").count(),
  ]);
  return { open, seen };
}

/** Counts the open help pages of the running game process, because help pages end with the process. */
async function countHelpPages({ sequelize }: Context): Promise<{ open: number | null }> {
  const row = await firstRow<{ open: number | null }>(
    sequelize,
    `select case when source.boot_id is not null then (
       select count(*)::integer from (
         select distinct on (payload ->> 'id') kind from shard_events
         where kind in ('page.open', 'page.update', 'page.close')
           and boot_id = source.boot_id
         order by payload ->> 'id', id desc) page
       where kind <> 'page.close') end as open
     from ingest_sources source where source.source = 'shard' and source.plugin_connected`,
  );
  return { open: row?.open ?? null };
}

async function countJobs({ sequelize }: Context) {
  const row = await firstRow<{ failed: number; oldestSeconds: number | null }>(
    sequelize,
    `select count(*) filter (where state = 'failed')::integer as failed,
       floor(extract(epoch from now() - min(start_after)
         filter (where state in ('created', 'retry') and start_after <= now())))::integer
         as "oldestSeconds"
     from pgboss.job`,
  );
  return row ?? { failed: 0, oldestSeconds: null };
}
