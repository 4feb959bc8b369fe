import { todaySql } from "../storage/daily-quota.ts";

/**
 * Finds the newest day to delete. Deleting all events up to this day brings the stored size below the limit.
 * Today's events have a separate limit.
 */
export const selectLastDayOverLimitSql = `
  select max(day)::text as day from (
    select day, sum(kept) over (order by day desc) as bytes from survival_storage_days
    where server_id = $1 and part = 'eventBytes') summed
  where bytes > $2 and day < ${todaySql} having max(day) is not null`;

/** Ids of one server grow with time, so stop after the first batch that contains younger rows. */
export const deleteEventsOfDaysSql = `
  delete from survival_events where id = any(array(
    select id from (
      select id, created_at from survival_events where server_id = $1 order by id limit $3) oldest
    where (created_at at time zone 'UTC')::date <= $2::date))`;

export const deleteDayCountsSql = `
  delete from survival_storage_days
  where server_id = $1 and part in ('events', 'eventBytes') and day <= $2::date`;

export const deleteOldDayCountsSql = `
  delete from survival_storage_days where (server_id, part, day) in (
    select server_id, part, day from survival_storage_days
    where day < ${todaySql} - $1::integer limit $2)`;

/** Ids of one kind grow with time, so stop after the first batch that contains younger rows. */
export const deleteOldEventsOfKindSql = `
  delete from survival_events where id = any(array(
    select id from (
      select id, created_at from survival_events where server_id = $1 and kind = $2
      order by id limit $4) oldest
    where created_at < now() - make_interval(days => $3)))`;

export const deleteOldEventsSql = `
  delete from survival_events where id = any(array(
    select id from survival_events where created_at < now() - make_interval(days => $1)
    order by created_at limit $2))`;

/** After this many days the game does not report an event again, so the key of its notice is not needed. */
export const deleteOldNoticesSql = `
  delete from survival_notices where ctid = any(array(
    select ctid from survival_notices where told_at < now() - make_interval(days => $1)
    order by told_at limit $2))`;

const streamedColumns = `id, kind, t, created_at as "createdAt", hidden_at is not null as hidden,
  case when hidden_at is null then payload::text else '' end as payload`;

/**
 * Selects events of some kinds between two ids. It reads each kind along its index, because with several
 * kinds in one condition the planner would scan the events of all other kinds too.
 */
export const selectStreamedEvents = {
  name: "survival-streamed-events",
  text: `
  select event.* from unnest($2::text[]) as wanted (kind) cross join lateral (
    select ${streamedColumns} from survival_events
    where server_id = $1 and kind = wanted.kind and id > $3 and id <= $4 order by id limit $5) event
  order by event.id limit $5`,
};

/** Selects the id before the newest events of some kinds. */
export const selectStreamStartSql = `
  select coalesce(min(id) - 1, 0) as start from (
    select newest.id from unnest($2::text[]) as wanted (kind) cross join lateral (
      select id from survival_events where server_id = $1 and kind = wanted.kind
      order by id desc limit $3) newest
    order by newest.id desc limit $3) start`;

/** Selects the newest chat messages of a server that staff have hidden. Only chat messages can be hidden. */
export const selectHiddenChatSql = `
  select id from (
    select id from survival_events where server_id = $1 and hidden_at is not null
    order by id desc limit $2) newest
  order by id`;
