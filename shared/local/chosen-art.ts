import { QueryTypes, type Transaction } from "sequelize";

import { lockForTransaction } from "../db/lock.ts";
import { type Sql, sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { missing } from "../errors.ts";
import type { Ground } from "./ground.ts";
import { recordFromShell } from "./record-from-shell.ts";

/** Keys of the pictures that a creature may be shown by. */
interface CreatureArt {
  /** What an operator chose; it is shown while its picture is held. */
  readonly chosen: string | null;
  /** That of its body. */
  readonly derived: string | null;
}

export interface ChosenArt extends CreatureArt {
  /** As the atlas spells it; in lower case once the atlas holds it no more. */
  readonly type: string;
  readonly chosen: string;
  readonly isHeld: boolean;
}

/**
 * Has a creature shown by a picture of the operator's choice, whatever its body.
 * @param key of any picture that is held, such as `body:401` or `item:3922:1153`
 * @throws AppError for a creature that the atlas does not hold, or a picture that is not held
 */
export function pinArt(type: string, key: string, { sequelize }: Ground): Promise<void> {
  const typeKey = type.toLowerCase();
  return inTransaction(sequelize, async (transaction) => {
    // No import may take the picture away meanwhile.
    await lockForTransaction("assets", transaction);
    const sql = sqlOf(transaction);
    await requireCreature(type, sql);
    await requirePicture(key, sql);
    const before = (await readArt(typeKey, sql)).chosen;
    await sql.query(
      `insert into creature_art (type_key, operator_key) values ($1, $2)
       on conflict (type_key) do update set operator_key = excluded.operator_key`,
      [typeKey, key],
    );
    await record("art.pinned", typeKey, { before, after: key }, transaction);
  });
}

/**
 * Has a creature shown by the picture of its body again.
 * @returns that picture's key, if it has one
 * @throws AppError when no picture was chosen for it
 */
export function unpinArt(type: string, { sequelize }: Ground): Promise<string | null> {
  const typeKey = type.toLowerCase();
  return inTransaction(sequelize, async (transaction) => {
    await lockForTransaction("assets", transaction);
    const sql = sqlOf(transaction);
    const { chosen, derived } = await readArt(typeKey, sql);
    if (chosen === null) throw missing(`No picture was chosen for ${type}`);
    await sql.query(
      derived === null
        ? "delete from creature_art where type_key = $1"
        : "update creature_art set operator_key = null where type_key = $1",
      [typeKey],
    );
    await record("art.unpinned", typeKey, { before: chosen }, transaction);
    return derived;
  });
}

/** All that operators chose, by the creature's name. */
export const listChosenArt = ({ sequelize }: Ground): Promise<ChosenArt[]> =>
  sequelize.query<ChosenArt>(
    `select coalesce(creature.type, art.type_key) as type, operator_key as chosen,
       derived_key as derived, image is not null as "isHeld"
     from creature_art art
     left join (atlas_creatures join atlas_state using (generation)) as creature using (type_key)
     left join assets on assets.key = operator_key
     where operator_key is not null order by art.type_key`,
    { type: QueryTypes.SELECT },
  );

async function requireCreature(type: string, sql: Sql): Promise<void> {
  const { rowCount } = await sql.query(
    "select from atlas_creatures join atlas_state using (generation) where type_key = $1",
    [type.toLowerCase()],
  );
  if (rowCount === 0) throw missing(`The atlas holds no creature ${type}`);
}

async function requirePicture(key: string, sql: Sql): Promise<void> {
  const { rowCount } = await sql.query("select from assets where key = $1 and image is not null", [
    key,
  ]);
  if (rowCount === 0) throw missing(`No picture is held of ${key}`);
}

async function readArt(typeKey: string, sql: Sql): Promise<CreatureArt> {
  const { rows } = await sql.query<CreatureArt & Record<string, string | null>>(
    `select operator_key as chosen, derived_key as derived from creature_art
     where type_key = $1`,
    [typeKey],
  );
  return rows[0] ?? { chosen: null, derived: null };
}

const record = (
  action: string,
  typeKey: string,
  detail: Readonly<Record<string, unknown>>,
  transaction: Transaction,
): Promise<void> =>
  recordFromShell({ action, target: { type: "creature", id: typeKey }, detail }, transaction);
