export const deleteOtherPagesSql = `
  delete from survival_permission_pages
  where server_id = $1 and (inventory_id <> $2 or boot_id is distinct from $3)`;

export const upsertPageSql = `
  insert into survival_permission_pages
    (server_id, inventory_id, boot_id, page, payload, bytes, entries)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (server_id, page) do update
  set payload = excluded.payload, bytes = excluded.bytes, entries = excluded.entries`;

export const selectPagesSizeSql = `
  select sum(bytes)::float8 as bytes, sum(entries)::float8 as entries
  from survival_permission_pages where server_id = $1`;

export const deletePagesSql = "delete from survival_permission_pages where server_id = $1";

const pagesListSql = (field: string): string => `
  coalesce((
    select jsonb_agg(item order by page, place)
    from survival_permission_pages,
      jsonb_array_elements(payload -> '${field}') with ordinality as items (item, place)
    where server_id = $1), '[]')`;

export const upsertInventorySql = `
  insert into survival_permission_inventories (server_id, told_at, groups, permissions, users)
  select $1, to_timestamp($3::bigint / 1000.0), ${pagesListSql("groups")}, ${pagesListSql("permissions")},
    ${pagesListSql("users")}
  where (select count(*) from survival_permission_pages where server_id = $1) >= $2
  on conflict (server_id) do update
  set told_at = excluded.told_at, groups = excluded.groups, permissions = excluded.permissions,
    users = excluded.users`;

export const lockPermissionSyncSql = `
  select 1 from survival_pushes where server_id = $1 and name = 'permissions' for no key update`;

export const selectSyncRowsSql = `
  select subject_kind as "subjectKind", subject, kind, value, op, next_shape as shape, state
  from survival_permission_rows where server_id = $1 and push_id = $2`;

export const updateRefusedRowsSql = `
  update survival_permission_rows held
  set state = ended.state, error = ended.error, at = to_timestamp($8::bigint / 1000.0), boot_id = $9,
    push_id = null, op = null, next_shape = null
  from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
    as ended (subject_kind, subject, kind, value, state, error)
  where held.server_id = $1 and held.subject_kind = ended.subject_kind
    and held.subject = ended.subject and held.kind = ended.kind and held.value = ended.value`;

/** A wildcard grant is live as soon as its first node is live. */
export const updateFinishedRowsSql = `
  with done as (
    update survival_permission_rows
    set state = case when op in ('revoke', 'leave', 'remove') then 'withdrawn' else 'pushed' end,
      shape = case when op in ('revoke', 'leave', 'remove') then shape else next_shape end,
      error = null, at = to_timestamp($3::bigint / 1000.0), boot_id = $4,
      push_id = null, op = null, next_shape = null
    where server_id = $1 and push_id = $2
    returning subject, kind, value, state
  )
  select distinct on (held.id) held.id as "grantId", held.kind, held.expires_at as "expiresAt",
    held.scope_all as "scopeAll", held.server_ids as "serverIds",
    coalesce(link.user_id, held.user_id) as "userId"
  from done
  join survival_grants held on held.steam_id = done.subject and held.kind = done.kind
    and held.revoked_at is null and held.expired_at is null
    and (held.scope_all or $1 = any(held.server_ids))
    and (held.value = done.value
      or held.value like '%.*' and starts_with(done.value, left(held.value, -1)))
  left join steam_links link on link.steam_id = held.steam_id
  where done.state = 'pushed'
  order by held.id`;

export const selectFailedRowSql = `
  select 1 from survival_permission_rows
  where server_id = $1 and subject_kind = 'user' and subject = $2 and state = 'failed' limit 1`;
