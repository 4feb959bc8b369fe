import { anyId } from "../../../../models/any-id.ts";
import type { SurvivalGrant } from "../../../../models/survival/survival-grant.ts";
import type { Context } from "../../../context.ts";
import { rows } from "../../../db/rows.ts";
import { missing } from "../../../errors.ts";

/** `expiring`: its time is over, and a server that has it could not be told yet. */
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

/** The grants that are looked for, the latest first, and how many there are. */
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

/** Those of a player that are in force, or not taken back everywhere yet. */
export const readStandingGrants = (
  steamIds: readonly string[],
  { sequelize }: Database,
): Promise<GrantRecord[]> => rows<GrantRecord>(sequelize, standing, [[...steamIds]]);

/** @throws AppError missing */
export async function findGrant(id: number, { sequelize }: Database): Promise<GrantRecord> {
  const [grant] = await rows<GrantRecord>(sequelize, `${all} select * from known where id = $1`, [
    id,
  ]);
  if (!grant) throw missing("Unknown grant");
  return grant;
}

/** @throws AppError missing */
export async function requireGrant(id: number, { models }: Pick<Context, "models">): Promise<void> {
  if ((await models.SurvivalGrant.count({ where: { id: anyId(id) } })) > 0) return;
  throw missing("Unknown grant");
}

/**
 * A wildcard stands for what it was made of; what another grant gives as well is not expiring: there
 * is one such grant at the most. It is joined, since a look at it for each row may read all of them.
 */
const all = `
  with known as (
    select held.id, held.kind, held.steam_id as "steamId", held.user_id as "userId", held.value,
      held.scope_all as "scopeAll", held.server_ids as "serverIds", held.source, held.reason,
      held.expires_at as "expiresAt", held.created_at as "createdAt",
      held.revoked_at as "revokedAt", maker.username as "createdBy",
      revoker.username as "revokedBy",
      case when held.revoked_at is not null then 'revoked'
        when coalesce(held.expires_at > clock_timestamp(), true) then 'active'
        when exists (
          select 1 from survival_permission_rows pushed
          where pushed.subject = held.steam_id and pushed.subject_kind = 'user'
            and pushed.kind = held.kind and pushed.state = 'pushed'
            and (held.scope_all or pushed.server_id = any(held.server_ids))
            and (pushed.value = held.value
              or held.value like '%.*' and starts_with(pushed.value, left(held.value, -1)))
        ) and other.id is null then 'expiring' else 'expired' end as state
    from survival_grants held
    left join users maker on maker.id = held.created_by
    left join users revoker on revoker.id = held.revoked_by
    left join survival_grants other on other.steam_id = held.steam_id and other.kind = held.kind
      and other.value = held.value and other.revoked_at is null and other.expired_at is null
      and coalesce(other.expires_at > clock_timestamp(), true)
  )`;

const search = `${all}
  select *, count(*) over ()::integer as total from known
  where ($1::text is null or "steamId" = $1) and ($2::bigint is null or "userId" = $2)
    and ($3::text is null or kind = 'membership' and value = $3)
    and ($4::text is null or value = $4)
    and ($5::bigint is null or "scopeAll" or $5 = any("serverIds"))
    and ($6::text is null or state = $6)
  order by id desc limit $7 offset $8`;

const standing = `${all}
  select * from known where "steamId" = any($1::text[]) and state in ('active', 'expiring')
  order by kind, value, id`;
