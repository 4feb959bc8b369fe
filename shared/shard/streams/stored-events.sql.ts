const columns = `id, kind, t, boot_id as "bootId", payload::text as payload, reach,
  created_at as "createdAt"`;

export const selectEventsAfterSql = {
  name: "following-events",
  text: `select id, kind, t, boot_id as "bootId", reach, created_at as "createdAt",
      case when reach = 'none' then '' else payload::text end as payload
    from shard_events where id > $1 order by id limit $2`,
};

export const selectReplayStartSql = `select coalesce(min(id) - 1, 0) as start from (
       select id from shard_events where reach <> 'none' order by id desc limit $1) newest`;

const rangeSql = "id > $1 and id <= $2 and reach = any($3)";

/** Selects each kind separately, so that the index skips rows of other kinds. */
const selectRangeByKindSql = `
  select found.id from unnest($6::text[]) as wanted (kind) cross join lateral (
    select id from shard_events where kind = wanted.kind and ${rangeSql} order by id limit $4) found
  order by found.id limit $4`;

const selectRangeSql = `select id from shard_events where ${rangeSql} order by id limit $4`;

/** @param isByKind true to read the kinds of `$6` only */
export const selectEventsSql = (isByKind: boolean): string =>
  `with chosen as (${isByKind ? selectRangeByKindSql : selectRangeSql}),
     sized as (
       select shard_events.*, octet_length(payload::text) as bytes,
         sum(octet_length(payload::text)) over (order by id) as running
       from shard_events join chosen using (id))
     select ${columns} from sized where running - bytes < $5 order by id`;
