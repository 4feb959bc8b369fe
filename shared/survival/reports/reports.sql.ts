import { todaySql } from "../storage/daily-quota.ts";

/** Counts the reports that a player sent on a server today. */
export const countReportsOfPlayerSql = `
  select count(*)::float8 as count from survival_reports
  where server_id = $1 and reporter_steam_id = $2
    and created_at >= ${todaySql}::timestamp at time zone 'UTC'`;

/** A game's clock may be fast, so times in the future become now. `least` ignores a null. */
const happenedSql = "least(to_timestamp($6::float8 / 1000), clock_timestamp())";

/**
 * Finds an equal report of the last minute. The form has no time of the game, so a report that arrives as a
 * form and as an event is recognized by the time of its arrival.
 */
export const selectSameReportSql = `
  select id from survival_reports
  where server_id = $1 and reporter_steam_id = $2 and subject = $3 and message = $4
    and target_steam_id is not distinct from $7 and reported_at between ${happenedSql} - interval '60 seconds'
      and ${happenedSql} + interval '60 seconds'
  union all
  select id from survival_reports
  where created_at > clock_timestamp() - interval '60 seconds'
    and server_id = $1 and reporter_steam_id = $2 and subject = $3 and message = $4 and via <> $5
    and target_steam_id is not distinct from $7
  limit 1`;

export const insertReportSql = `
  insert into survival_reports (server_id, reporter_steam_id, subject, message, via, reported_at,
    target_steam_id, reporter_name, target_name, type)
  values ($1, $2, $3, $4, $5, ${happenedSql}, $7, $8, $9, $10)
  returning id, floor(extract(epoch from reported_at) * 1000)::float8 as t`;

export const deleteOldReportsSql = `
  delete from survival_reports where id = any(array(
    select id from survival_reports where created_at < now() - make_interval(days => $1)
    order by created_at limit $2))`;

export const countWaitingReportsSql = `
  select count(*) filter (where seen_at is null)::float8 as open,
    count(*) filter (where seen_at is not null)::float8 as seen
  from survival_reports where closed_at is null`;

export const countClosedReportsSql = `
  select count(*)::float8 as closed from survival_reports where closed_at is not null`;
