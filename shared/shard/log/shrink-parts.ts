import { Op, type Sequelize, type Transaction } from "sequelize";

import { defineModels } from "../../../models/index.ts";
import { rows } from "../../platform/db/rows.ts";
import { changePart } from "./change-parts.ts";
import { type LogPart, readParts } from "./parts.ts";
import { rewritePart } from "./rewrite-part.ts";

/** A full part of which less than this is left is written anew. */
const worthKeeping = 0.75;

export interface Shrunk {
  /** Parts of which nothing was left. */
  readonly dropped: number;
  readonly rewritten: number;
}

/** Gives the disk back what was deleted from full parts of the log. */
export async function shrinkParts(sequelize: Sequelize): Promise<Shrunk> {
  let dropped = 0;
  let rewritten = 0;
  for (const part of await readParts(sequelize)) {
    if (part.written === null) continue;
    const left = await countEvents(part, sequelize);
    if (left === 0) {
      if (await changePart(part, sequelize, (transaction) => drop(part, transaction))) dropped++;
    } else if (left < part.written * worthKeeping) {
      if (await rewritePart(part, sequelize)) rewritten++;
    }
  }
  return { dropped, rewritten };
}

const countEvents = ({ fromId, untilId }: LogPart, sequelize: Sequelize): Promise<number> =>
  defineModels(sequelize).ShardEvent.count({
    where: { id: { [Op.gte]: fromId ?? 0, [Op.lt]: untilId } },
  });

/** What was in it may come again, as anything whose age has passed. */
async function drop({ name, fromId, untilId }: LogPart, transaction: Transaction): Promise<true> {
  await rows(transaction, `drop table ${name}`);
  const noted = "until_id > $1 and until_id <= $2";
  for (const table of ["shard_event_keys", "shard_event_seqs"]) {
    await rows(transaction, `delete from ${table} where ${noted}`, [fromId ?? 0, untilId]);
  }
  return true;
}
