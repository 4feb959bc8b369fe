import type { CreatureArt } from "../../../models/assets/creature-art.ts";
import type { ArtFindings } from "../../imports/results/assets.ts";
import { countChanged, type Database, firstRow } from "../../platform/db/rows.ts";

/** The picture that follows from each creature's body. */
const derivedArt = `
  select creature.type_key, asset.key
  from atlas_creatures creature join atlas_state using (generation)
  join assets asset on asset.key = 'body:' || creature.body and asset.image is not null`;

/** Gives creatures the pictures of their bodies; what an operator chose stays beside them. */
export async function applyCreatureArt(database: Database): Promise<ArtFindings> {
  const put = await countChanged(
    database,
    `insert into creature_art as shown (type_key, derived_key) ${derivedArt}
     on conflict (type_key) do update set derived_key = excluded.derived_key
       where shown.derived_key is distinct from excluded.derived_key`,
  );
  const taken = await countChanged(
    database,
    `update creature_art set derived_key = null
     where derived_key is not null and not exists (
       select from (${derivedArt}) as derived where derived.type_key = creature_art.type_key)`,
  );
  await countChanged(
    database,
    "delete from creature_art where derived_key is null and operator_key is null",
  );
  return { ...(await countArt(database)), applied: put + taken };
}

/** How many creatures show which kind of picture, nothing being changed. */
export async function countArt(database: Database): Promise<ArtFindings> {
  const counted = await firstRow<CountedArt>(
    database,
    `select count(derived_key) as derived, count(operator_key) as operator,
       coalesce(array_agg(type_key order by type_key) filter (
         where operator_key is not null and image is null), '{}') as lost
     from creature_art left join assets on key = operator_key`,
  );
  const { derived = 0, operator = 0, lost = [] } = counted ?? {};
  return { applied: 0, derived, operator, error: lost.length === 0 ? null : describeLost(lost) };
}

interface CountedArt {
  readonly derived: number;
  readonly operator: number;
  /** Creatures whose chosen picture is not held. */
  readonly lost: CreatureArt["typeKey"][];
}

const describeLost = (typeKeys: readonly string[]): string =>
  `No picture is held of what was chosen for ${typeKeys.slice(0, namedLost).join(", ")}`;

/** As many creatures as an operator reads in one line. */
const namedLost = 10;
