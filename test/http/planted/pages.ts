import type { Model, ModelStatic } from "sequelize";

import type { Models } from "../../../models/index.ts";
import type { OnDatabase } from "../../support/database/query.ts";
import { buildUsers } from "../../support/factories/users.ts";
import { times } from "../../support/races/race.ts";
import { plantEvents } from "./events.ts";
import { plantJobs } from "./jobs.ts";
import type { Planting } from "./planting.ts";
import { plantShard } from "./shard.ts";
import { plantSurvival } from "./survival.ts";
import { plantTexts } from "./texts.ts";

/** Inserts `many` users, and as many rows into each table. */
export async function plantPages(on: OnDatabase, many: number, owner: number): Promise<void> {
  const users = await buildUsers(
    on,
    times(many, (at) => ({ username: `planted-${at + 1}` })),
  );
  const planting: Planting = { on, models: on.context.models, users, owner };
  await plantTexts(planting);
  await plantShard(planting);
  await plantJobs(planting);
  await plantEvents(planting);
  await plantSurvival(planting);
}

const plantedModels = [
  "User",
  "ActivityEntry",
  "Punishment",
  "Appeal",
  "Post",
  "WikiCategory",
  "WikiPage",
  "WikiRevision",
  "SearchEntry",
  "SearchWord",
  "ShardLink",
  "ShardEvent",
  "ListingLabel",
  "ListingName",
  "Vendor",
  "Listing",
  "JobProgress",
  "Webhook",
  "WebhookDelivery",
  "EventDefinition",
  "EventVersion",
  "EventRun",
  "EventStep",
  "EventLogLine",
  "EventParticipation",
  "SurvivalServer",
  "SurvivalWipe",
  "SurvivalTally",
  "SurvivalScore",
  "SurvivalSighting",
  "SurvivalNpcKill",
  "SurvivalClan",
  "SurvivalClanMember",
  "SurvivalEvent",
  "SurvivalGrant",
  "SurvivalPermissionRow",
  "SurvivalLedgerEntry",
  "SurvivalConfigWrite",
  "RejectedFrame",
  "AtlasRegion",
  "AtlasRect",
  "AtlasSpawner",
  "AtlasEntry",
  "AtlasCreature",
] as const satisfies readonly (keyof Models)[];

/** Returns the names of all tables with inserted rows, including those of the queue. */
export const plantedTables = ({ context }: OnDatabase): string[] => [
  ...plantedModels.map((name) => {
    const model: ModelStatic<Model> = context.models[name];
    return model.tableName;
  }),
  "job_common",
];
