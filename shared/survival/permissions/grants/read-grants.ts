import { matchClientId } from "../../../../models/queries/any-id.ts";
import type { SurvivalGrant } from "../../../../models/survival/permissions/survival-grant.ts";
import type { Context } from "../../../platform/context.ts";
import { rows } from "../../../platform/db/rows.ts";
import { notFoundError } from "../../../platform/errors/errors.ts";

/** `expiring`: the grant has ended, but a server that has it could not be updated yet. */
export const grantStates = ["active", "expiring", "expired", "revoked"] as const;
export type GrantState = (typeof grantStates)[number];

export interface GrantSearch {
  readonly steamId?: string;
  readonly userId?: number;
  readonly group?: string;
  readonly value?: string;
  readonly server?: number;
  readonly state?: GrantState;
  readonly limit: number;
  readonly offset: number;
}

export interface GrantRecord extends Pick<
  SurvivalGrant,
  | "id"
  | "kind"
  | "steamId"
  | "userId"
  | "value"
  | "scopeAll"
  | "serverIds"
  | "source"
  | "reason"
  | "expiresAt"
  | "createdAt"
  | "revokedAt"
> {
  readonly state: GrantState;
  readonly createdBy: string | null;
  readonly revokedBy: string | null;
}

type Database = Pick<Context, "sequelize">;

/** Searches grants, newest first, and counts all matches. */
export async function readGrants(
  { steamId, userId, group, value, server, state, limit, offset }: GrantSearch,
  { sequelize }: Database,
): Promise<{ grants: GrantRecord[]; total: number }> {
  const found = await rows<GrantRecord & { total: number }>(sequelize, search, [
    steamId,
    userId,
    group,
    value,
    server,
    state,
    limit,
    offset,
  ]);
  const grants = found.map(({ total: _total, ...grant }) => grant);
  if (grants.length > 0 || offset === 0) return { grants, total: found[0]?.total ?? 0 };
  const first = { steamId, userId, group, value, server, state, limit: 1, offset: 0 };
  return { grants, total: (await readGrants(first as GrantSearch, { sequelize })).total };
}

/** Reads a player's grants that are active or still on a server. Omits older grants that are equal. */
export const readUnfinishedGrants = (
  steamIds: readonly string[],
  { sequelize }: Database,
): Promise<GrantRecord[]> => rows<GrantRecord>(sequelize, standingGrantsSql, [[...steamIds]]);

/** @throws AppError missing if no grant has this id */
export async function findGrant(id: number, { sequelize }: Database): Promise<GrantRecord> {
  const [grant] = await rows<GrantRecord>(sequelize, grantByIdSql, [id]);
  if (!grant) throw notFoundError("Unknown grant");
  return grant;
}

/** @throws AppError missing if no grant has this id */
export async function requireGrant(id: number, { models }: Pick<Context, "models">): Promise<void> {
  if ((await models.SurvivalGrant.count({ where: { id: matchClientId(id) } })) > 0) return;
  throw notFoundError("Unknown grant");
}

/** SQL: true if a permission, possibly with a wildcard, or a group equals or covers a node. */
const coversSql = (written: string, node: string): string => `(${written} = ${node}
  or ${written} like '%.*' and starts_with(${node}, left(${written}, -1)))`;

/** Ended grants still on a server that has no other grant. Uses joins: subqueries could scan tables. */
const endedButLiveSql = (which: string): string => `
  select distinct held.id
  from survival_grants held
  join survival_permission_rows pushed on pushed.subject = held.steam_id
    and pushed.subject_kind = 'user' and pushed.kind = held.kind and pushed.state = 'pushed'
    and (held.scope_all or pushed.server_id = any(held.server_ids))
    and ${coversSql("held.value", "pushed.value")}
  left join survival_grants other on other.steam_id = held.steam_id and other.kind = held.kind
    and other.revoked_at is null and other.expired_at is null
    and coalesce(other.expires_at > clock_timestamp(), true)
    and (other.scope_all or pushed.server_id = any(other.server_ids))
    and ${coversSql("other.value", "pushed.value")}
  where ${which} and other.id is null
    and (held.revoked_at is not null or held.expires_at <= clock_timestamp())`;

/** @param which SQL condition on the grant, which is named `held` */
const grantsSql = (which: string): string => `
  with known as (
    select held.id, held.kind, held.steam_id as "steamId", held.user_id as "userId", held.value,
      held.scope_all as "scopeAll", held.server_ids as "serverIds", held.source, held.reason,
      held.expires_at as "expiresAt", held.created_at as "createdAt",
      held.revoked_at as "revokedAt", maker.username as "createdBy",
      revoker.username as "revokedBy", ended.id is not null as "isLeft",
      case when held.revoked_at is not null then 'revoked'
        when coalesce(held.expires_at > clock_timestamp(), true) then 'active'
        when ended.id is not null then 'expiring' else 'expired' end as state
    from survival_grants held
    left join users maker on maker.id = held.created_by
    left join users revoker on revoker.id = held.revoked_by
    left join (${endedButLiveSql(which)}) ended on ended.id = held.id
    where ${which}
  )`;

const search = `${grantsSql("true")}
  select *, count(*) over ()::integer as total from known
  where ($1::text is null or "steamId" = $1) and ($2::bigint is null or "userId" = $2)
    and ($3::text is null or kind = 'membership' and value = $3)
    and ($4::text is null or value = $4)
    and ($5::bigint is null or "scopeAll" or $5 = any("serverIds"))
    and ($6::text is null or state = $6)
  order by id desc limit $7 offset $8`;

const grantByIdSql = `${grantsSql("held.id = $1")} select * from known`;

const standingGrantsSql = `${grantsSql("held.steam_id = any($1::text[])")}
  select distinct on (kind, value, "steamId", state = 'active', "scopeAll", "serverIds") *
  from known where state in ('active', 'expiring') or state = 'revoked' and "isLeft"
  order by kind, value, "steamId", state = 'active', "scopeAll", "serverIds", id desc`;
