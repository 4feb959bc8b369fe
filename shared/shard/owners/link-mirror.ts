import type { User } from "../../../models/auth/user.ts";
import type { GameAccountLink } from "../../../models/shard/game-account-link.ts";
import { countChanged, type Database, rows } from "../../platform/db/rows.ts";
import { findStaleAccounts, type DatabaseTime } from "../../platform/db/stale-answers.ts";

/**
 * Returns the key for comparing game accounts, whose case the shard ignores. Build keys only here, because
 * lower case in a database depends on its locale.
 */
export const accountKey = (account: string): string => account.toLowerCase();

export interface ShardAccountLink {
  readonly account: string;
  readonly userId: number;
  /** Epoch milliseconds. */
  readonly linkedAt: number;
}

/**
 * Stores links and skips links of unknown users. A link arrives twice, with the answer and with the event; the
 * earlier time is stored.
 * @returns how many were skipped
 */
export async function writeLinks(
  links: readonly ShardAccountLink[],
  database: Database,
): Promise<number> {
  const users = await lockUsers(links, database);
  const known = links.filter(({ userId }) => users.has(userId));
  const written = await countChanged(
    database,
    `insert into shard_links as held (account_key, account, user_id, linked_at)
     select distinct on (key) key, account, user_id, linked_at
     from unnest($1::text[], $2::text[], $3::integer[], $4::double precision[])
       as given (key, account, user_id, linked_ms)
     cross join lateral (select to_timestamp(linked_ms / 1000) as linked_at) as at
     order by key, linked_at desc
     on conflict (account_key) do update set
       account = excluded.account, user_id = excluded.user_id,
       linked_at = case when held.user_id = excluded.user_id
         then least(held.linked_at, excluded.linked_at) else excluded.linked_at end,
       updated_at = clock_timestamp()`,
    [
      known.map(({ account }) => accountKey(account)),
      known.map(({ account }) => account),
      known.map(({ userId }) => userId),
      known.map(({ linkedAt }) => linkedAt),
    ],
  );
  return links.length - written;
}

/**
 * Locks the existing users of the links until the transaction ends. It waits for users that are being deleted.
 * Links to users that no longer exist are then skipped and do not fail.
 */
export async function lockUsers(
  links: readonly Pick<ShardAccountLink, "userId">[],
  database: Database,
): Promise<ReadonlySet<number>> {
  const held = await rows<Pick<User, "id">>(
    database,
    "select id from users where id = any($1::integer[]) order by id for key share",
    [links.map(({ userId }) => userId)],
  );
  return new Set(held.map(({ id }) => id));
}

/**
 * Locks the users whose links are about to change. Lock users before links, in the same order as the
 * deletion of a user; another order could deadlock.
 */
export async function lockUsersOfLinks(
  moved: { readonly accountKeys: readonly string[]; readonly userIds: readonly number[] },
  database: Database,
): Promise<void> {
  await rows(
    database,
    `select id from users
     where id = any($1::integer[])
       or id in (select user_id from shard_links where account_key = any($2))
     order by id for key share`,
    [moved.userIds, moved.accountKeys],
  );
}

type LinkKey = Pick<GameAccountLink, "accountKey">;

const selectKeys = 'select account_key as "accountKey" from shard_links';

/** Returns those keys whose accounts are linked to a user of the site. */
export async function readLinkedKeys(
  keys: readonly string[],
  database: Database,
): Promise<ReadonlySet<string>> {
  const linked = await rows<LinkKey>(database, `${selectKeys} where account_key = any($1)`, [keys]);
  return new Set(linked.map((link) => link.accountKey));
}

export async function removeLinks(accounts: readonly string[], database: Database): Promise<void> {
  const keys = accounts.map(accountKey);
  await countChanged(database, "delete from shard_links where account_key = any($1)", [keys]);
}

/** Makes the stored links equal to the shard's list. Links that changed after `askedAt` stay unchanged. */
export async function reconcileLinks(
  links: readonly ShardAccountLink[],
  askedAt: DatabaseTime,
  database: Database,
): Promise<void> {
  const mirrored = await rows<LinkKey>(database, selectKeys);
  const keys = [
    ...mirrored.map((link) => link.accountKey),
    ...links.map(({ account }) => accountKey(account)),
  ];
  const newer = await findStaleAccounts("game account", { keys, askedAt }, database);
  await lockUsers(links, database);
  // Also delete links that the shard now lists for another user, even if that user is unknown here.
  await countChanged(
    database,
    `delete from shard_links where account_key <> all($1) and (account_key, user_id) not in (
       select * from unnest($2::text[], $3::integer[]))`,
    [
      [...newer],
      links.map(({ account }) => accountKey(account)),
      links.map(({ userId }) => userId),
    ],
  );
  await writeLinks(
    links.filter(({ account }) => !newer.has(accountKey(account))),
    database,
  );
}
