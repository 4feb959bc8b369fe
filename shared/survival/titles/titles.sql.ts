export const selectSentTitlesSql = `
  select clock_timestamp() as now, told.hash, told.sent_at > told.returned_at as "isCurrent"
  from (select) one left join survival_title_servers told on told.server_id = $1`;

/** Reads the best players of each category, as many as its enabled rules can award. */
export const selectStandingsSql = `
  select wanted.stat, score.steam_id as "steamId", score.value, score.reached_at as "reachedAt"
  from survival_servers server
  join survival_server_states state on state.server_id = server.id
  join survival_wipes wipe on wipe.server_id = server.id and wipe.save_id = state.save_id
  join (
    select stat, max(top_n) as top_n from survival_title_rules
    where server_id = $1 and enabled group by stat
  ) wanted on true
  cross join lateral (
    select score.steam_id, score.value, score.reached_at
    from survival_scores score
    where score.wipe_id = wipe.id and score.stat = wanted.stat and score.value > 0
      and not score.left_out
    order by score.value desc, score.reached_at, score.steam_id
    limit wanted.top_n
  ) score
  where server.id = $1`;

export const selectRuleSql =
  "select 1 from survival_title_rules where server_id = $1 and enabled limit 1";

export const recordServerReturnSql = `
  insert into survival_title_servers (server_id) values ($1)
  on conflict (server_id) do update set returned_at = excluded.returned_at`;
