import type { Sql } from "../db/sql.ts";

/** What game accounts are compared by: the shard tells no upper from lower case. */
export const accountKey = (account: string): string => account.toLowerCase();

export interface LinkOnShard {
  readonly account: string;
  readonly userId: number;
  /** Epoch milliseconds. */
  readonly linkedAt: number;
}

/**
 * Writes links into the mirror; links of users that are not ours are passed over. A link that is
 * told twice, by the answer and by the event, is as old as the earlier of both.
 * @returns how many were passed over
 */
export async function writeLinks(links: readonly LinkOnShard[], sql: Sql): Promise<number> {
  const { rowCount } = await sql.query(
    `insert into shard_links as held (account_key, account, user_id, linked_at)
     select distinct on (lower(account)) lower(account), account, user_id, linked_at
     from unnest($1::text[], $2::integer[], $3::double precision[])
       as given (account, user_id, linked_ms)
     cross join lateral (select to_timestamp(linked_ms / 1000) as linked_at) as at
     where exists (select 1 from users where users.id = user_id)
     order by lower(account), linked_at desc
     on conflict (account_key) do update set
       account = excluded.account, user_id = excluded.user_id,
       linked_at = case when held.user_id = excluded.user_id
         then least(held.linked_at, excluded.linked_at) else excluded.linked_at end,
       updated_at = clock_timestamp()`,
    [
      links.map(({ account }) => account),
      links.map(({ userId }) => userId),
      links.map(({ linkedAt }) => linkedAt),
    ],
  );
  return links.length - (rowCount ?? 0);
}

export async function removeLinks(accounts: readonly string[], sql: Sql): Promise<void> {
  await sql.query("delete from shard_links where account_key = any($1)", [
    accounts.map(accountKey),
  ]);
}

/**
 * Makes the mirror what the shard said at `askedAt`. What moved since then is newer than the answer
 * and kept: rows that came, and rows that went.
 */
export async function reconcileLinks(
  links: readonly LinkOnShard[],
  askedAt: Date,
  sql: Sql,
): Promise<void> {
  const newer = await readMovedSince(askedAt, sql);
  // A link that became somebody else's goes too: they need not be one of ours.
  await sql.query(
    `delete from shard_links where updated_at <= $1 and (account_key, user_id) not in (
       select * from unnest($2::text[], $3::integer[]))`,
    [askedAt, links.map(({ account }) => accountKey(account)), links.map(({ userId }) => userId)],
  );
  await writeLinks(
    links.filter(({ account }) => !newer.has(accountKey(account))),
    sql,
  );
}

/** The keys of accounts that were linked or unlinked since; a row that went left its event alone. */
async function readMovedSince(since: Date, sql: Sql): Promise<ReadonlySet<string>> {
  const { rows } = await sql.query<{ key: string }>(
    `select account_key as key from shard_links where updated_at > $1
     union
     select lower(payload ->> 'acct') from shard_events
     where kind = 'account.unlinked' and created_at > $1`,
    [since],
  );
  return new Set(rows.map(({ key }) => key));
}
