import type { Model, ModelStatic } from "sequelize";

import type { Models } from "../../../models/index.ts";
import type { DatabaseHolder } from "../../support/database/query.ts";
import { buildUsers } from "../../support/factories/users.ts";
import { makeList } from "../../support/races/race.ts";
import { insertEventFixtures } from "./events.ts";
import { insertJobFixtures } from "./jobs.ts";
import type { FixtureContext } from "./planting.ts";
import { insertShardFixtures } from "./shard.ts";
import { insertSurvivalFixtures } from "./survival.ts";
import { insertContentFixtures } from "./texts.ts";

/** Inserts `many` users, and as many rows into each table. */
export async function insertListFixtures(
  on: DatabaseHolder,
  many: number,
  owner: number,
): Promise<void> {
  const users = await buildUsers(
    on,
    makeList(many, (at) => ({ username: `planted-${at + 1}` })),
  );
  const planting: FixtureContext = { on, models: on.context.models, users, owner };
  await insertContentFixtures(planting);
  await insertShardFixtures(planting);
  await insertJobFixtures(planting);
  await insertEventFixtures(planting);
  await insertSurvivalFixtures(planting);
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
export const listFixtureTables = ({ context }: DatabaseHolder): string[] => [
  ...plantedModels.map((name) => {
    const model: ModelStatic<Model> = context.models[name];
    return model.tableName;
  }),
  "job_common",
];
