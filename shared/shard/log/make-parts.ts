import type { Sequelize, Transaction } from "sequelize";

import { type Database, firstRow, rows } from "../../platform/db/rows.ts";
import type { Sql } from "../../platform/db/sql.ts";
import {
  attachPartSql,
  changePart,
  idsOfPart,
  isOverfull,
  type LogPart,
  partsAhead,
  readLastId,
  readParts,
} from "./parts.ts";

/** Where events stand that belong into no part; every part that is made is held against it. */
const rest = { name: "shard_events_rest" };

/** Makes the parts that the next hours need. @returns how many were made */
export async function makeParts(sequelize: Sequelize): Promise<number> {
  let made = 0;
  while (await lacksParts(sequelize)) {
    if (!(await changePart(rest, sequelize, makePart))) break;
    made++;
  }
  return made;
}

/** Makes parts for all ids of those of another log that are beyond what there is. */
export async function makeTheseParts(
  others: readonly Pick<LogPart, "fromId" | "untilId">[],
  sql: Sql,
): Promise<void> {
  const end = await readEnd(sql);
  for (const { fromId, untilId } of others) {
    for (let id = Math.max(fromId ?? end, end); id < untilId; id += idsOfPart) {
      await rows(sql, addPart, [id]);
    }
  }
}

const addPart = "select make_shard_events_part($1)";

async function lacksParts(database: Database): Promise<boolean> {
  const last = await readLastId(database);
  const needed = (Math.floor(last / idsOfPart) + 1 + partsAhead) * idsOfPart;
  return (await readEnd(database)) < needed || isOverfull(database);
}

/** Only once the log is held is it certain that no events come to where the part is to be. */
async function makePart(transaction: Transaction): Promise<true> {
  const end = await readEnd(transaction);
  if (await isOverfull(transaction)) await takeRest(end, transaction);
  else await rows(transaction, addPart, [end]);
  return true;
}

/** The id before which the last part ends. */
const readEnd = async (database: Database): Promise<number> =>
  (await readParts(database)).at(-1)?.untilId ?? 0;

/** The events that belong into no part become one, where they are, and the place for such is new. */
async function takeRest(end: number, transaction: Transaction): Promise<void> {
  const found = await firstRow<{ newest: number }>(
    transaction,
    "select max(id)::float8 as newest from shard_events_rest",
  );
  const untilId = (Math.floor((found?.newest ?? end) / idsOfPart) + 1) * idsOfPart;
  const name = `shard_events_${end}`;
  await rows(
    transaction,
    `alter table shard_events detach partition shard_events_rest;
     alter index shard_events_rest_place rename to ${name}_place;
     alter index shard_events_rest_key rename to ${name}_key;
     alter table shard_events_rest rename to ${name};
     ${attachPartSql({ name, fromId: end, untilId })};
     select make_shard_events_rest()`,
  );
}
