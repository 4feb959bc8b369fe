import type { CreationAttributes, WhereOptions } from "sequelize";

import type { Appeal } from "../../../models/appeals/appeal.ts";
import { clockNow } from "../../../models/queries/clock.ts";
import type { ActivityEntry } from "../../../models/site/activity-entry.ts";
import type { DatabaseHolder } from "../database/query.ts";

type Entry = Pick<
  ActivityEntry,
  "actorId" | "action" | "targetType" | "targetId" | "address" | "detail"
>;

export const buildActivity = (
  { context }: DatabaseHolder,
  given: Partial<CreationAttributes<ActivityEntry>> & Pick<ActivityEntry, "action">,
): Promise<ActivityEntry> => context.models.ActivityEntry.create({ detail: {}, ...given });

/** Returns lines of the activity log, oldest first. */
export async function activityOf<Column extends keyof Entry>(
  { context }: DatabaseHolder,
  where: WhereOptions<ActivityEntry>,
  columns: readonly Column[],
): Promise<Pick<Entry, Column>[]> {
  const found = await context.models.ActivityEntry.findAll({
    where,
    attributes: [...columns],
    order: [["id", "asc"]],
  });
  return found.map((entry) => entry.get({ plain: true }) as Pick<Entry, Column>);
}

/** Stores only the value of a setting. A change by the service would have further effects. */
export const storeSetting = async (
  { context }: DatabaseHolder,
  name: string,
  value: unknown,
): Promise<void> => void (await context.models.Setting.upsert({ name, value, changedBy: null }));

/** Inserts an appeal. By default it is open, against an active ban. */
export async function buildAppeal(
  { context: { models } }: DatabaseHolder,
  given: Partial<CreationAttributes<Appeal>> & Pick<Appeal, "userId" | "account">,
): Promise<Appeal> {
  const { account } = given;
  const ban = { accountKey: account, account, reason: "Speed hack", confirmedAt: clockNow() };
  const { id: punishmentId } = await models.Punishment.create(ban);
  return models.Appeal.create({ punishmentId, reason: "It was not me.", ...given });
}
