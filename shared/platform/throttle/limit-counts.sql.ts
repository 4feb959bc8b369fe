/** The time when the statement started, by the database's clock, in milliseconds. */
const nowMsSql = "(extract(epoch from statement_timestamp()) * 1000)::bigint";

/** True if the next request begins a new window: the old one has ended or is empty. */
const isWindowOverSql = `(counted.expire <= ${nowMsSql} or counted.points + counted.held <= 0)`;

export const countRequestSql = {
  name: "count_request",
  text: `
  with given as (
    select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::integer[], $5::integer[])
      as given (key, max, window_ms, uses, tries)),
  block as materialized (
    select login_blocked_until as until from ip_reputation
    where address_key = $6::text and login_blocked_until > clock_timestamp()),
  seen as materialized (
    select known.key, known.points, known.expire,
      coalesce(known.points + known.held * given.tries >= given.max, false) as is_full
    from rate_limits as known join given using (key)
    where known.expire > ${nowMsSql}),
  taken as (
    insert into rate_limits as counted (key, points, held, expire)
    select key, uses, tries, ${nowMsSql} + window_ms from given
    where uses + tries > 0
      and not exists (select from block) and not exists (select from seen where is_full)
    order by key
    on conflict (key) do update set
      points = case when ${isWindowOverSql} then 0 else counted.points end + excluded.points,
      held = case when ${isWindowOverSql} then 0 else counted.held end + excluded.held,
      expire = case when ${isWindowOverSql} then excluded.expire else counted.expire end
    where ${isWindowOverSql} or coalesce(counted.points + counted.held
      < (select max from given where given.key = excluded.key), true)
    returning key, points, expire)
  select key, points as uses, expire - ${nowMsSql} as "endsInMs", expire as "endsAt", 'taken' as state
  from taken
  union all
  select key, points, expire - ${nowMsSql}, expire, case when is_full then 'full' else 'seen' end
  from seen
  union all
  select $6::text, 0,
    greatest(1, ceil(extract(epoch from until - clock_timestamp()) * 1000))::bigint, 0, 'blocked'
  from block`,
};

export const settleAttemptsSql = `
  with given as (
    select * from unnest($1::text[], $2::bigint[], $3::text[]) as given (key, ends_at, outcome)),
  locked as (
    select key from rate_limits where key = any ($1::text[]) order by key for update)
  update rate_limits as counted set
    points = case outcome when 'failed' then points + 1 when 'forgiven' then 0 else points end,
    held = case when expire = ends_at then greatest(held - 1, 0) else held end
  from given join locked using (key)
  where counted.key = given.key
    and (outcome = 'forgiven' or (counted.expire = ends_at and counted.held > 0))
  returning counted.key, counted.points`;

export const deleteCountsSql = `delete from rate_limits where key in (
       select key from rate_limits where key = any ($1::text[]) order by key for update)`;

export const decrementUsesSql = `with locked as (
       select key from rate_limits where key = any($1::text[]) order by key for update)
     update rate_limits set points = points - 1 from locked
     where rate_limits.key = locked.key and points > 0`;
