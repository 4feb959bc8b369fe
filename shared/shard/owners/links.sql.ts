export const writeLinksSql = `insert into shard_links as held (account_key, account, user_id, linked_at)
     select distinct on (key) key, account, user_id, linked_at
     from unnest($1::text[], $2::text[], $3::integer[], $4::double precision[])
       as given (key, account, user_id, linked_ms)
     cross join lateral (select to_timestamp(linked_ms / 1000) as linked_at) as at
     order by key, linked_at desc
     on conflict (account_key) do update set
       account = excluded.account, user_id = excluded.user_id,
       linked_at = case when held.user_id = excluded.user_id
         then least(held.linked_at, excluded.linked_at) else excluded.linked_at end,
       updated_at = clock_timestamp()`;

export const lockUsersSql =
  "select id from users where id = any($1::integer[]) order by id for key share";

export const lockUsersOfLinksSql = `select id from users
     where id = any($1::integer[])
       or id in (select user_id from shard_links where account_key = any($2))
     order by id for key share`;

export const selectKeysSql = 'select account_key as "accountKey" from shard_links';

export const selectKnownKeysSql = `${selectKeysSql} where account_key = any($1)`;

export const deleteLinksSql = "delete from shard_links where account_key = any($1)";

export const deleteOtherLinksSql = `delete from shard_links where account_key <> all($1) and (account_key, user_id) not in (
       select * from unnest($2::text[], $3::integer[]))`;
