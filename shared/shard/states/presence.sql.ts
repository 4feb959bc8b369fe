export const clearPresenceSql = [
  "delete from online_characters",
  "delete from shard_facts where name = 'presence'",
];

export const removeCharactersSql = {
  name: "remove online characters",
  text: "delete from online_characters where serial = any($1)",
};

/** Writes characters that are new or changed. */
const adding = `
  insert into online_characters as held (serial, name, account_key, map, x, y, z, region)
  select given.serial, given.name, given.account_key, given.map, given.x, given.y, given.z,
    given.region
  from unnest($1::text[], $2::text[], $3::text[], $4::text[],
    $5::integer[], $6::integer[], $7::integer[], $8::text[])
    as given (serial, name, account_key, map, x, y, z, region)
  on conflict (serial) do update set
    name = excluded.name, account_key = coalesce(excluded.account_key, held.account_key),
    map = excluded.map, x = excluded.x, y = excluded.y, z = excluded.z, region = excluded.region
  where (held.name, held.map, held.x, held.y, held.z, held.region) is distinct from
    (excluded.name, excluded.map, excluded.x, excluded.y, excluded.z, excluded.region)
    or held.account_key is distinct from coalesce(excluded.account_key, held.account_key)`;

export const addCharactersSql = { name: "add online characters", text: adding };

/** Returns a row for each character that is new, changed or gone. */
export const replaceCharactersSql = {
  name: "replace online characters",
  text: `
  with gone as (
    delete from online_characters where serial not in (select unnest($1::text[])) returning serial
  ), added as (${adding} returning serial)
  select from gone union all select from added`,
};
