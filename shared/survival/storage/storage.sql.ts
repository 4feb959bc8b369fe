export const selectStoredCountSql =
  "select kept::float8 as kept from survival_storage where server_id = $1 and part = $2";

export const addStoredCountSql = `
  insert into survival_storage as known (server_id, part, kept) values ($1, $2, $3)
  on conflict (server_id, part) do update set kept = known.kept + excluded.kept`;

export const lockCountSql = `
  insert into survival_storage as known (server_id, part) values ($1, $2)
  on conflict (server_id, part) do update set kept = known.kept`;

export const deleteCountsSql = "delete from survival_storage where server_id = $1";

export const deleteDaysSql = "delete from survival_storage_days where server_id = $1";

export const countOmittedRowsSql =
  "select coalesce(sum(left_out), 0)::float8 as count from survival_storage";

export const selectFullPartsSql = `select server.slug, storage.part from survival_storage storage
     join survival_servers server on server.id = storage.server_id
     where left_out_at > clock_timestamp() - interval '1 day' order by 1, 2`;

export const updateMapImageBytesSql = `
  update survival_storage set kept = (
    select coalesce(sum(octet_length(bytes)), 0) from survival_map_images where server_id = $1)
  where server_id = $1 and part = 'mapImages'`;
