/** SQL: true if a permission, possibly with a wildcard, or a group equals or covers a node. */
const coversSql = (written: string, node: string): string => `(${written} = ${node}
  or ${written} like '%.*' and starts_with(${node}, left(${written}, -1)))`;

/**
 * SQL of ended grants that a server still has and that no current grant of the same permission replaces. Uses
 * joins, because the planner could scan whole tables for subqueries.
 */
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

/** @param which SQL condition on the grant, under the alias `held` */
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

export const searchGrantsSql = `${grantsSql("true")}
  select *, count(*) over ()::integer as total from known
  where ($1::text is null or "steamId" = $1) and ($2::bigint is null or "userId" = $2)
    and ($3::text is null or kind = 'membership' and value = $3)
    and ($4::text is null or value = $4)
    and ($5::bigint is null or "scopeAll" or $5 = any("serverIds"))
    and ($6::text is null or state = $6)
  order by id desc limit $7 offset $8`;

export const selectGrantSql = `${grantsSql("held.id = $1")} select * from known`;

export const selectUnfinishedGrantsSql = `${grantsSql("held.steam_id = any($1::text[])")}
  select distinct on (kind, value, "steamId", state = 'active', "scopeAll", "serverIds") *
  from known where state in ('active', 'expiring') or state = 'revoked' and "isLeft"
  order by kind, value, "steamId", state = 'active', "scopeAll", "serverIds", id desc`;
