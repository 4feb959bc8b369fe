/** SQL that sums kits by user and run. */
const rewardsOf = (entitlements: string): string => `
  select link.user_id, given.run_id, given.kit, sum(given.uses)::integer as count
  from ${entitlements} given join steam_links link on link.steam_id = given.steam_id
  group by link.user_id, given.run_id, given.kit`;

/** CTEs that add kits to histories. @param entitlements name of a CTE (steam_id, run_id, kit, uses) */
const addRewardsSql = (entitlements: string): string => `
  rewarded as (${rewardsOf(entitlements)}), told as (
    update event_participations part
    set rewards = part.rewards
      || jsonb_build_array(jsonb_build_object('kit', rewarded.kit, 'count', rewarded.count))
    from rewarded where part.run_id = rewarded.run_id and part.user_id = rewarded.user_id
  )`;

/** CTEs that remove undelivered kits. @param entitlements a CTE (steam_id, run_id, kit, uses) */
const removeRewardsSql = (entitlements: string): string => `
  unrewarded as (${rewardsOf(entitlements)}), untold as (
    update event_participations part
    set rewards = (
      select coalesce(
        jsonb_agg(
          case when is_meant then reward || jsonb_build_object('count', count - unrewarded.count)
            else reward end
          order by place
        ) filter (where not is_meant or count > unrewarded.count), '[]')
      from (
        select reward, place, count, coalesce(place = max(place) filter (
          where reward ->> 'kit' = unrewarded.kit and count >= unrewarded.count
        ) over (), false) as is_meant
        from jsonb_array_elements(part.rewards) with ordinality as listed (reward, place)
        cross join lateral (select (reward ->> 'count')::integer as count) counted
      ) each
    )
    from unrewarded where part.run_id = unrewarded.run_id and part.user_id = unrewarded.user_id
  )`;

export const retryFailedKitsSql = `with again as (
       update survival_entitlements set state = 'pending', error = null
       where server_id = $1 and starts_with(dedupe_key, $2) and state = 'failed'
       returning id, server_id, run_id, step_id, steam_id, kit, uses, delivered_at
     ), missed as (select * from again where delivered_at is null), ${addRewardsSql("missed")}
     insert into survival_ledger (server_id, what, ref, state, run_id, step_id)
     select server_id, 'kit', id::text, 'pushed', run_id, step_id from again order by id`;

export const markKitDeliveredSql = `with given as (
       update survival_entitlements
       set state = 'delivered', delivered_at = clock_timestamp(), error = null
       where id = $1 and round = $2 and state = 'pending' returning id, server_id
     )
     update survival_ledger entry set state = 'confirmed', confirmed_at = clock_timestamp()
     from given
     where entry.server_id = given.server_id and entry.what = 'kit'
       and entry.ref = given.id::text and entry.state = 'pushed'`;

export const recordKitRefusalSql = `with failed as (
       update survival_entitlements
       set error = $2, state = case when $3::boolean then 'failed' else state end
       where id = $1 and round = $4 and state = 'pending'
       returning id, server_id, state, steam_id, run_id, kit, uses, delivered_at
     ), missed as (
       select * from failed where state = 'failed' and delivered_at is null
     ), ${removeRewardsSql("missed")}
     update survival_ledger entry set state = 'failed', reason = $2, ended_at = clock_timestamp()
     from failed
     where failed.state = 'failed' and entry.server_id = failed.server_id and entry.what = 'kit'
       and entry.ref = failed.id::text and entry.state = 'pushed'`;

export const expireKitsSql = `with over as (
       update survival_entitlements set state = 'expired'
       where server_id = $1 and state in ('pending', 'delivered')
         and expires_at <= clock_timestamp()
       returning id
     )
     update survival_ledger entry set state = 'expired', reason = 'timeout',
       ended_at = clock_timestamp()
     from over
     where entry.server_id = $1 and entry.what = 'kit' and entry.ref = over.id::text
       and entry.state in ('pushed', 'confirmed')`;

/**
 * Also marks a pending kit as delivered: the game would refuse a second delivery with fewer uses under the same
 * key.
 */
export const redeemKitSql = `
  with redeemed as (
    update survival_entitlements
    set used = least(uses, used + 1), redeemed_at = to_timestamp($3::float8 / 1000.0),
      state = case when used + 1 >= uses then 'redeemed' else 'delivered' end,
      delivered_at = case when state = 'pending' then clock_timestamp() else delivered_at end,
      error = null
    where id = $1 and server_id = $2 and state in ('pending', 'delivered')
      and (redeemed_at is null or redeemed_at < to_timestamp($3::float8 / 1000.0))
    returning id, server_id
  )
  update survival_ledger entry set state = 'confirmed', confirmed_at = clock_timestamp()
  from redeemed
  where entry.server_id = redeemed.server_id and entry.what = 'kit'
    and entry.ref = redeemed.id::text and entry.state = 'pushed'`;

const untakenSql = `server_id = $1 and state = 'delivered'
  and (expires_at is null or expires_at > clock_timestamp())`;

export const countUnclaimedKitsSql = `
  select count(*)::integer as count from (
    select from survival_entitlements where ${untakenSql} order by id for no key update) untaken`;

export const renewUnclaimedKitsSql = `
  with again as (
    update survival_entitlements set state = 'pending', round = round + 1
    where id in (
      select id from survival_entitlements where ${untakenSql} order by id limit $2)
    returning id, server_id, run_id, step_id
  )
  insert into survival_ledger (server_id, what, ref, state, run_id, step_id)
  select server_id, 'kit', id::text, 'pushed', run_id, step_id from again order by id`;

export const selectPendingKitSql =
  "select from survival_entitlements where server_id = $1 and state = 'pending' limit 1";

export const lockDeliveredKitSql = `
  select from survival_entitlements
  where id::text = $1 and server_id = $2 and state = 'delivered' for no key update`;

/**
 * Ends a kit. If it becomes pending again, a new round begins, because each delivery has its own ledger entry.
 */
export const endKitSql = `
  with taken as (
    update survival_entitlements
    set state = case when $3::boolean then 'pending' else 'expired' end,
      round = round + case when $3::boolean then 1 else 0 end
    where id::text = $1 and server_id = $2 and state = 'delivered'
    returning id, server_id, run_id, step_id
  )
  insert into survival_ledger (server_id, what, ref, state, run_id, step_id)
  select server_id, 'kit', id::text, 'pushed', run_id, step_id from taken where $3::boolean`;

export const insertKitsSql = `
  with made as (
    insert into survival_entitlements
      (server_id, steam_id, kit, uses, expires_at, run_id, step_id, dedupe_key)
    select $1::integer, steam_id, $2::text, $3::integer, $4::timestamptz, $5::integer, $6::integer,
      $7::text || '/' || steam_id
    from (select distinct unnest($8::text[]) as steam_id) given
    on conflict (dedupe_key) do nothing
    returning id, steam_id, run_id, kit, uses
  ), ${addRewardsSql("made")}
  insert into survival_ledger (server_id, what, ref, state, run_id, step_id)
  select $1::integer, 'kit', id::text, 'pushed', $5::integer, $6::integer from made order by id
  returning ref`;
