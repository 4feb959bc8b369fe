import type { SurvivalPermissionGroup } from "../../../../models/survival/survival-permission-group.ts";
import type { Context } from "../../../context.ts";
import { rows } from "../../../db/rows.ts";
import { missing } from "../../../errors.ts";

/** A group with how many players are in it by a grant in force, and who changed it last. */
export interface GroupRecord {
  readonly group: Pick<
    SurvivalPermissionGroup,
    | "id"
    | "name"
    | "title"
    | "rank"
    | "parent"
    | "permissions"
    | "scopeAll"
    | "serverIds"
    | "managed"
    | "protected"
    | "updatedAt"
  >;
  readonly memberCount: number;
  readonly updatedBy: string | null;
}

type Row = GroupRecord["group"] & Pick<GroupRecord, "memberCount" | "updatedBy">;

export async function readGroups({
  sequelize,
}: Pick<Context, "sequelize">): Promise<GroupRecord[]> {
  return (await rows<Row>(sequelize, select)).map(({ memberCount, updatedBy, ...group }) => ({
    group,
    memberCount,
    updatedBy,
  }));
}

/** @throws AppError missing */
export async function findGroup(
  id: number,
  context: Pick<Context, "sequelize">,
): Promise<GroupRecord> {
  const found = (await readGroups(context)).find(({ group }) => group.id === id);
  if (!found) throw missing("Unknown group");
  return found;
}

const select = `
  select held.id, held.name, held.title, held.rank, held.parent, held.permissions,
    held.scope_all as "scopeAll", held.server_ids as "serverIds", held.managed, held.protected,
    held.updated_at as "updatedAt", users.username as "updatedBy",
    (select count(*)::integer from survival_grants
     where kind = 'membership' and value = held.name and revoked_at is null and expired_at is null
       and coalesce(expires_at > clock_timestamp(), true)) as "memberCount"
  from survival_permission_groups held left join users on users.id = held.updated_by
  order by held.rank desc, held.name`;
