/** Keep the later time: events arrive in order, but their times may be out of order. */
export const upsertClanSql = `
  insert into survival_clans (server_id, clan_id, created, name, first_seen_at, last_seen_at)
  select $1, $2, $3, $4, told.at, told.at from to_timestamp($5::bigint / 1000.0) as told (at)
  on conflict (server_id, clan_id, created) do update
  set name = excluded.name,
    last_seen_at = greatest(survival_clans.last_seen_at, excluded.last_seen_at)
  returning id`;

export const reviveClanSql = `
  update survival_clans set disbanded_at = null where id = $1`;

export const endClanSql = `
  with ended as (
    update survival_clans
    set disbanded_at = coalesce(disbanded_at, to_timestamp($2::bigint / 1000.0)), rank = null
    where id = $1
    returning id
  )
  delete from survival_clan_members using ended where clan_row_id = ended.id`;

export const insertMemberSql = `
  insert into survival_clan_members (clan_row_id, steam_id, name, joined_at)
  values ($1, $3, $4, to_timestamp($2::bigint / 1000.0))
  on conflict do nothing`;

export const deleteMemberSql = `
  delete from survival_clan_members where clan_row_id = $1 and steam_id = $2`;

export const updateMemberCountSql = `update survival_clans
     set member_count = (select count(*) from survival_clan_members where clan_row_id = $1)
     where id = $1 and roster_at is not null`;

export const upsertBoardSql = `
  insert into survival_clan_boards (server_id, told_at, ceiling, is_complete)
  values ($1, to_timestamp($2::bigint / 1000.0), $3, $4)
  on conflict (server_id) do update
  set told_at = excluded.told_at, ceiling = excluded.ceiling, is_complete = excluded.is_complete
  where survival_clan_boards.told_at < excluded.told_at`;

export const upsertRankedClansSql = `
  insert into survival_clans (server_id, clan_id, created, name, score, color, member_count, rank,
    first_seen_at, last_seen_at)
  select $1, clan_id, created, name, score, color, members, place,
    to_timestamp($2::bigint / 1000.0), to_timestamp($2::bigint / 1000.0)
  from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::integer[])
    with ordinality as named (clan_id, created, name, score, color, members, place)
  on conflict (server_id, clan_id, created) do update
  set name = excluded.name, score = excluded.score, color = excluded.color,
    member_count = excluded.member_count, rank = excluded.rank,
    last_seen_at = greatest(survival_clans.last_seen_at, excluded.last_seen_at), disbanded_at = null`;

export const selectLivingClansSql = `
  select id, clan_id as "clanId", created from survival_clans
  where server_id = $1 and disbanded_at is null`;

export const clearRanksSql = "update survival_clans set rank = null where id = any($1::integer[])";

export const disbandClansSql = `
  with left_behind as (
    delete from survival_clan_members where clan_row_id = any($1::integer[])
  )
  update survival_clans set disbanded_at = to_timestamp($2::bigint / 1000.0)
  where id = any($1::integer[])`;

/** Do not update the name: a roster does not contain it. */
export const upsertRosterSql = `
  insert into survival_clans (server_id, clan_id, created, name, motd, member_count, roster_at,
    first_seen_at, last_seen_at)
  select $1, $2, $3, '', $4, $5, told.at, told.at, told.at
  from to_timestamp($6::bigint / 1000.0) as told (at)
  on conflict (server_id, clan_id, created) do update
  set motd = excluded.motd, member_count = excluded.member_count, roster_at = excluded.roster_at,
    last_seen_at = greatest(survival_clans.last_seen_at, excluded.last_seen_at)
  returning id`;

export const deleteOtherMembersSql =
  "delete from survival_clan_members where clan_row_id = $1 and steam_id <> all($2::text[])";

export const upsertMembersSql = `
  insert into survival_clan_members (clan_row_id, steam_id, name, role_id, role_name, role_rank,
    joined_at, last_seen_at, is_online)
  select $1, steam_id, name, role_id, role_name, role_rank, to_timestamp(joined_at / 1000.0),
    to_timestamp(last_seen_at / 1000.0), is_online
  from unnest($2::text[], $3::text[], $4::integer[], $5::text[], $6::integer[], $7::bigint[],
    $8::bigint[], $9::boolean[])
    as given (steam_id, name, role_id, role_name, role_rank, joined_at, last_seen_at, is_online)
  on conflict (clan_row_id, steam_id) do update
  set name = excluded.name, role_id = excluded.role_id, role_name = excluded.role_name,
    role_rank = excluded.role_rank, joined_at = excluded.joined_at,
    last_seen_at = excluded.last_seen_at, is_online = excluded.is_online`;

export const selectClanKeysSql = `
  select clan_id || '-' || created as key
  from survival_clans join unnest($2::text[], $3::text[]) as given (clan_id, created)
    using (clan_id, created)
  where server_id = $1`;

export const selectMemberKeysSql = `
  select steam_id as key from survival_clan_members
  where clan_row_id = $1 and steam_id = any($2::text[])`;
