import type { Sequelize, Transaction } from "sequelize";

import { firstRow, rows } from "../../db/rows.ts";
import { changeParts } from "./change-parts.ts";
import { idsOfPart, isOverfull, partsAhead, readLastId, readParts } from "./parts.ts";

/** Makes the parts that the next hours need. @returns how many were made */
export async function makeParts(sequelize: Sequelize): Promise<number> {
  for (let made = 0; ; made++) {
    if (!(await changeParts(sequelize, makePart))) return made;
  }
}

async function makePart(transaction: Transaction): Promise<boolean> {
  const end = (await readParts(transaction)).at(-1)?.untilId ?? 0;
  if (await isOverfull(transaction)) {
    await takeRest(end, transaction);
    return true;
  }
  const last = await readLastId(transaction);
  if (end >= (Math.floor(last / idsOfPart) + 1 + partsAhead) * idsOfPart) return false;
  await rows(transaction, "select make_shard_events_part($1)", [end]);
  return true;
}

/** The events that belong into no part become one, where they are, and the place for such is new. */
async function takeRest(end: number, transaction: Transaction): Promise<void> {
  await rows(transaction, "lock table shard_events in access exclusive mode");
  const found = await firstRow<{ newest: number }>(
    transaction,
    "select max(id)::float8 as newest from shard_events_rest",
  );
  const until = (Math.floor((found?.newest ?? end) / idsOfPart) + 1) * idsOfPart;
  const name = `shard_events_${end}`;
  await rows(
    transaction,
    `alter table shard_events detach partition shard_events_rest;
     alter index shard_events_rest_place rename to ${name}_place;
     alter index shard_events_rest_key rename to ${name}_key;
     alter table shard_events_rest rename to ${name};
     alter table shard_events attach partition ${name} for values from (${end}) to (${until});
     select make_shard_events_rest()`,
  );
}
