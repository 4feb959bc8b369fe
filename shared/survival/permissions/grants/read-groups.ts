import { col, type WhereOptions } from "sequelize";

import { matchClientId } from "../../../../models/queries/any-id.ts";
import { computeColumn, readPlainRows } from "../../../../models/queries/plain-rows.ts";
import type { SurvivalPermissionGroup } from "../../../../models/survival/permissions/survival-permission-group.ts";
import type { Context } from "../../../platform/context.ts";
import { notFoundError } from "../../../platform/errors/errors.ts";

const columns = [
  "id",
  "name",
  "title",
  "rank",
  "parent",
  "permissions",
  "scopeAll",
  "serverIds",
  "managed",
  "protected",
  "updatedAt",
] as const satisfies readonly (keyof SurvivalPermissionGroup)[];

/** A group with its number of current members and the user who last changed it. */
export interface GroupRecord {
  readonly group: Pick<SurvivalPermissionGroup, (typeof columns)[number]>;
  readonly memberCount: number;
  readonly updatedBy: string | null;
}

type Stores = Pick<Context, "models">;

export async function readGroups(
  { models }: Stores,
  where: WhereOptions<SurvivalPermissionGroup> = {},
): Promise<GroupRecord[]> {
  const [groups, memberships] = await Promise.all([
    readPlainRows(models.SurvivalPermissionGroup, {
      columns,
      computed: { updatedBy: computeColumn<string | null>(col("changedBy.username")) },
      include: [{ association: "changedBy", attributes: [] }],
      where,
      order: [["rank", "DESC"], "name"],
    }),
    models.SurvivalGrant.scope("inForce").count({
      where: { kind: "membership" },
      group: ["value"],
    }),
  ]);
  const counts = new Map(memberships.map(({ value, count }) => [value, count]));
  return groups.map(({ updatedBy, ...group }) => ({
    group,
    memberCount: counts.get(group.name) ?? 0,
    updatedBy,
  }));
}

/** @throws AppError missing if no group has this id */
export async function findGroup(id: number, context: Stores): Promise<GroupRecord> {
  const [found] = await readGroups(context, { id: matchClientId(id) });
  if (!found) throw notFoundError("Unknown group");
  return found;
}
