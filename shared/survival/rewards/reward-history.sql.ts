/** SQL that sums kits by user and run. */
const rewardsOf = (entitlements: string): string => `
  select link.user_id, given.run_id, given.kit, sum(given.uses)::integer as count
  from ${entitlements} given join steam_links link on link.steam_id = given.steam_id
  group by link.user_id, given.run_id, given.kit`;

/** CTEs that add kits to histories. @param entitlements name of a CTE (steam_id, run_id, kit, uses) */
export const addRewardsSql = (entitlements: string): string => `
  rewarded as (${rewardsOf(entitlements)}), told as (
    update event_participations part
    set rewards = part.rewards
      || jsonb_build_array(jsonb_build_object('kit', rewarded.kit, 'count', rewarded.count))
    from rewarded where part.run_id = rewarded.run_id and part.user_id = rewarded.user_id
  )`;

/** CTEs that remove undelivered kits. @param entitlements a CTE (steam_id, run_id, kit, uses) */
export const removeRewardsSql = (entitlements: string): string => `
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
