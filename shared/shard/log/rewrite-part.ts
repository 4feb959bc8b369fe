import { setTimeout as sleep } from "node:timers/promises";

import type { Sequelize, Transaction } from "sequelize";

import { firstRow, rows } from "../../platform/db/rows.ts";
import { changePart, changeParts } from "./change-parts.ts";
import { attachPartSql, type LogPart, noteWrittenSql, passingTables } from "./parts.ts";
import { isChanged, stopWatching, watchPart } from "./watch-part.ts";

const { copy } = passingTables;
const askEveryMs = 200;
const waitForMs = 30_000;

/**
 * Writes a full part anew, in several transactions. A release may change the log between two of them: the
 * copy is not taken then. Readers read the old one meanwhile, and wait for the exchange alone.
 * @returns whether it was exchanged; it is left as it is while somebody reads what was before, and
 *   when one of its events was changed meanwhile
 */
export async function rewritePart(part: LogPart, sequelize: Sequelize): Promise<boolean> {
  try {
    const isWatched = await changeParts(sequelize, (transaction) => watchPart(part, transaction));
    if (!isWatched) return false;
    const written = await changeParts(sequelize, (transaction) => write(part, transaction));
    if (!written || !(await isSeenByAll(written, sequelize))) return false;
    const isDone = await changePart(part, sequelize, (transaction) =>
      exchange(part, written, transaction),
    );
    return isDone ?? false;
  } finally {
    await changeParts(sequelize, (transaction) =>
      rows(transaction, `drop table if exists ${copy}`),
    );
    await stopWatching(sequelize);
  }
}

interface Written {
  /** The transaction that wrote the copy. */
  readonly by: string;
  /** How many events it holds. */
  readonly left: number;
}

async function write(
  { name, fromId, untilId }: LogPart,
  transaction: Transaction,
): Promise<Written> {
  const within = `id < ${untilId} and id ${fromId === null ? "is not null" : `>= ${fromId}`}`;
  await rows(
    transaction,
    `drop table if exists ${copy};
     create table ${copy} (like shard_events including all excluding identity);
     alter table ${copy} add constraint within check (${within});
     insert into ${copy} select * from ${name} order by id;
     analyze ${copy};
     delete from shard_event_keys noted where until_id = ${untilId} and not exists (
       select from ${copy} held
       where held.source = noted.source and held.event_key = noted.event_key)`,
  );
  const found = await firstRow<Written>(
    transaction,
    `select pg_current_xact_id()::xid::text as by, count(*)::float8 as left from ${copy}`,
  );
  return found ?? { by: "", left: 0 };
}

/**
 * A reader whose moment is before the copy's would find it empty once it stands in the part's place,
 * such as a backup: there must be none any more.
 */
async function isSeenByAll({ by }: Written, sequelize: Sequelize): Promise<boolean> {
  const giveUpAt = performance.now() + waitForMs;
  for (;;) {
    const older = await firstRow(
      sequelize,
      `select from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()
         and age(backend_xmin) >= age($1::text::xid) limit 1`,
      [by],
    );
    if (!older) return true;
    if (performance.now() >= giveUpAt) return false;
    await sleep(askEveryMs);
  }
}

/** Takes the same time whatever the size of the part: nothing of it is read. */
async function exchange(
  part: LogPart,
  { left }: Written,
  transaction: Transaction,
): Promise<boolean> {
  if (await isChanged(transaction)) return false;
  const { name } = part;
  await rows(
    transaction,
    `drop table ${name};
     alter table ${copy} rename to ${name};
     ${attachPartSql(part)};
     alter table ${name} drop constraint within;
     ${noteWrittenSql(name, left)}`,
  );
  return true;
}
