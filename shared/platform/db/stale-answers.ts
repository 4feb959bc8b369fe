import { lockSubject } from "./lock.ts";
import { executeStatement, type Database, firstRow, rows } from "./rows.ts";

// THE rule for answers of a game server about accounts: a late answer must not overwrite newer data. The caller
// reads the time before it asks the game server. Of the answer, it then writes only accounts that have not
// changed since that time.

export type AccountKind = "game account" | "steam account";

/** A time of the database's clock, as text because a Date would round it. */
export type DatabaseTime = string;

/** Returns the database's time. Read it before you ask a game server. */
export async function readDatabaseTime(database: Database): Promise<DatabaseTime> {
  const row = await firstRow<{ now: DatabaseTime }>(
    database,
    "select clock_timestamp()::text as now",
  );
  return (row as { now: DatabaseTime }).now;
}

/** Locks all accounts of one kind against other writers until the transaction ends. */
export const lockAccounts = (sort: AccountKind, database: Database): Promise<void> =>
  lockSubject("accounts", sort, database);

/**
 * Returns the keys of accounts that changed after `askedAt`, which must not be written. Locks all
 * accounts until the transaction ends.
 */
export async function findStaleAccounts(
  sort: AccountKind,
  { keys, askedAt }: { readonly keys: readonly string[]; readonly askedAt: DatabaseTime },
  database: Database,
): Promise<ReadonlySet<string>> {
  await lockAccounts(sort, database);
  const changed = await rows<{ key: string }>(
    database,
    `select key from unnest($2::text[]) as key
     where exists (select from account_changes
       where subject = account_subject($1, key) and changed_at > $3::timestamptz)`,
    [sort, keys, askedAt],
  );
  return new Set(changed.map(({ key }) => key));
}

/**
 * Marks accounts as changed for a caller that changed none of their rows. For changed rows, a trigger does this.
 */
export async function markAccountsChanged(
  sort: AccountKind,
  keys: readonly string[],
  database: Database,
): Promise<void> {
  await executeStatement(
    database,
    `insert into account_changes (subject)
     select distinct account_subject($1, key) as subject from unnest($2::text[]) as key
     order by subject
     on conflict (subject) do update set changed_at = clock_timestamp()`,
    [sort, keys],
  );
}
