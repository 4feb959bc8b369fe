import type { Sequelize, Transaction } from "sequelize";

import { firstRow, rows } from "../../platform/db/rows.ts";
import { changeParts } from "./change-parts.ts";
import { type LogPart, passingTables } from "./parts.ts";

const { changes } = passingTables;
const noting = "note_shard_events_changed";
// The trigger goes first: without the table it would refuse every change of the part.
const forget = `drop function if exists ${noting} cascade; drop table if exists ${changes}`;

/**
 * Has every change of the part's events noted. It waits for the changes that are under way, so that
 * who reads the part afterwards sees what is not noted.
 */
export async function watchPart({ name }: LogPart, transaction: Transaction): Promise<true> {
  await rows(
    transaction,
    `${forget};
     create table ${changes} (id bigint not null);
     create function ${noting}() returns trigger language plpgsql as '
       begin
         insert into ${changes} values (coalesce(new.id, old.id));
         return null;
       end';
     create trigger ${noting} after insert or update or delete on ${name}
       for each row execute function ${noting}()`,
  );
  return true;
}

/** Reads one row at most, however large the part is. */
export async function isChanged(transaction: Transaction): Promise<boolean> {
  return (await firstRow(transaction, `select from ${changes} limit 1`)) !== undefined;
}

/** Where somebody holds the part, changes are noted until the next part is watched. */
export async function stopWatching(sequelize: Sequelize): Promise<void> {
  await changeParts(sequelize, (transaction) => rows(transaction, forget));
}
