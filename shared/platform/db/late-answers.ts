import { lockSubject } from "./lock.ts";
import { countChanged, type Database, firstRow, rows } from "./rows.ts";

// THE rule for what a game server answers about an account: an answer that comes late writes nothing
// over what came after it. Whoever asks notes the moment before, and writes what was answered of
// accounts of which nothing was stored since.

/** Whose names tell accounts apart. */
export type AccountSort = "game account" | "steam account";

/** A moment by the database's clock, as the database writes it: a Date would round it. */
export type Moment = string;

/** The moment before something is asked. */
export async function readMoment(database: Database): Promise<Moment> {
  const row = await firstRow<{ now: Moment }>(database, "select clock_timestamp()::text as now");
  return (row as { now: Moment }).now;
}

/** Whatever is stored of accounts of a sort takes turns until the transaction ends. */
export const holdAccounts = (sort: AccountSort, database: Database): Promise<void> =>
  lockSubject("accounts", sort, database);

/**
 * The keys of accounts of which something was stored since: what was asked then is not to be written
 * of these. Of the others nothing is stored by anybody else until the transaction ends.
 */
export async function findOvertaken(
  sort: AccountSort,
  { keys, askedAt }: { readonly keys: readonly string[]; readonly askedAt: Moment },
  database: Database,
): Promise<ReadonlySet<string>> {
  await holdAccounts(sort, database);
  const changed = await rows<{ key: string }>(
    database,
    `select key from unnest($2::text[]) as key
     where exists (select from account_changes
       where subject = account_subject($1, key) and changed_at > $3::timestamptz)`,
    [sort, keys, askedAt],
  );
  return new Set(changed.map(({ key }) => key));
}

/** Something was heard of the accounts that changes no row; what changes one notes it by itself. */
export async function noteHeard(
  sort: AccountSort,
  keys: readonly string[],
  database: Database,
): Promise<void> {
  await countChanged(
    database,
    `insert into account_changes (subject)
     select distinct account_subject($1, key) as subject from unnest($2::text[]) as key
     order by subject
     on conflict (subject) do update set changed_at = clock_timestamp()`,
    [sort, keys],
  );
}
