import type { Sql } from "../../db/sql.ts";
import type { ArtFindings } from "./result.ts";

/** The picture that follows from each creature's body. */
const derivedArt = `
  select creature.type_key, asset.key
  from atlas_creatures creature join atlas_state using (generation)
  join assets asset on asset.key = 'body:' || creature.body and asset.image is not null`;

/** Gives creatures the pictures of their bodies; what an operator chose stays beside them. */
export async function applyCreatureArt(sql: Sql): Promise<ArtFindings> {
  const put = await sql.query(
    `insert into creature_art as shown (type_key, derived_key) ${derivedArt}
     on conflict (type_key) do update set derived_key = excluded.derived_key
       where shown.derived_key is distinct from excluded.derived_key`,
  );
  const taken = await sql.query(
    `update creature_art set derived_key = null
     where derived_key is not null and not exists (
       select from (${derivedArt}) as derived where derived.type_key = creature_art.type_key)`,
  );
  await sql.query("delete from creature_art where derived_key is null and operator_key is null");
  return { ...(await countArt(sql)), applied: (put.rowCount ?? 0) + (taken.rowCount ?? 0) };
}

/** How many creatures show which kind of picture, nothing being changed. */
export async function countArt(sql: Sql): Promise<ArtFindings> {
  const { rows } = await sql.query<{ derived: number; operator: number; lost: string[] }>(
    `select count(derived_key) as derived, count(operator_key) as operator,
       coalesce(array_agg(type_key order by type_key) filter (
         where operator_key is not null and image is null), '{}') as lost
     from creature_art left join assets on key = operator_key`,
  );
  const { derived = 0, operator = 0, lost = [] } = rows[0] ?? {};
  return { applied: 0, derived, operator, error: lost.length === 0 ? null : describeLost(lost) };
}

const describeLost = (typeKeys: readonly string[]): string =>
  `No picture is held of what was chosen for ${typeKeys.slice(0, namedLost).join(", ")}`;

/** As many creatures as an operator reads in one line. */
const namedLost = 10;
