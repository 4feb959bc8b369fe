import type { Sequelize } from "sequelize";

import { BridgeError } from "../../bridge/bridge-error.ts";
import type { Context } from "../../context.ts";
import type { ImportRun } from "../../imports/run-import.ts";
import { askForBodies, type BodyAnswer, maxBodyTypes } from "../sources/body-resolution.ts";
import type { CreatureCounts } from "./creature-tally.ts";

/**
 * The body of each type, as far as the shard answers: one that is away costs the pictures, not the
 * import.
 */
export async function findBodies(
  types: readonly string[],
  { report, signal }: Pick<ImportRun, "report" | "signal">,
  { shard }: Context,
): Promise<BodyAnswer[]> {
  const answers: BodyAnswer[] = [];
  try {
    for (let at = 0; at < types.length; at += maxBodyTypes) {
      await report("bodies", at, types.length);
      const slice = types.slice(at, at + maxBodyTypes);
      answers.push(...(await shard.call((control) => askForBodies(control, slice, { signal }))));
    }
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
  }
  return answers;
}

/** Writes a generation's creatures, with the bodies that are known of them. */
export async function writeCreatures(
  generation: number,
  creatures: readonly CreatureCounts[],
  sequelize: Sequelize,
): Promise<void> {
  await sequelize.query(
    `insert into atlas_creatures (generation, type_key, type, spawners, total, facets, status, body)
     select $1, given."typeKey", given.type, given.spawners, given.total, given.facets,
       known.status, known.body
     from jsonb_to_recordset($2::jsonb) as given (
       "typeKey" text, type text, spawners integer, total bigint, facets text[])
     left join (select creature.* from atlas_creatures creature join atlas_state using (generation))
       as known on known.type_key = given."typeKey"`,
    { bind: [generation, JSON.stringify(creatures)] },
  );
}

/** Writes the bodies that were answered; the others stay as they were known before. */
export async function writeBodies(
  generation: number,
  answers: readonly BodyAnswer[],
  sequelize: Sequelize,
): Promise<void> {
  const rows = answers.map(({ type, ...answer }) => ({ ...answer, typeKey: type.toLowerCase() }));
  await sequelize.query(
    `update atlas_creatures set status = answer.status, body = answer.body
     from jsonb_to_recordset($2::jsonb) as answer ("typeKey" text, status text, body integer)
     where generation = $1 and type_key = answer."typeKey"`,
    { bind: [generation, JSON.stringify(rows)] },
  );
}
