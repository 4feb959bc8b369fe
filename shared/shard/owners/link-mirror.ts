import type { User } from "../../../models/auth/user.ts";
import type { GameAccountLink } from "../../../models/shard/game-account-link.ts";
import { executeStatement, type Database, rows } from "../../platform/db/rows.ts";
import { findStaleAccounts, type DatabaseTime } from "../../platform/db/stale-answers.ts";
import {
  deleteLinksSql,
  deleteOtherLinksSql,
  lockUsersOfLinksSql,
  lockUsersSql,
  selectKeysSql,
  selectKnownKeysSql,
  writeLinksSql,
} from "./links.sql.ts";

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
 * Stores links and skips links of unknown users. A link arrives twice, in the answer and in the event. The
 * earlier of both times is stored.
 * @returns how many were skipped
 */
export async function writeLinks(
  links: readonly ShardAccountLink[],
  database: Database,
): Promise<number> {
  const users = await lockExistingUsers(links, database);
  const known = links.filter(({ userId }) => users.has(userId));
  const written = await executeStatement(database, writeLinksSql, [
    known.map(({ account }) => accountKey(account)),
    known.map(({ account }) => account),
    known.map(({ userId }) => userId),
    known.map(({ linkedAt }) => linkedAt),
  ]);
  return links.length - written;
}

/**
 * Locks the existing users of the links until the transaction ends. It waits for users that are being deleted.
 * Links to users that no longer exist are then skipped and do not fail.
 */
export async function lockExistingUsers(
  links: readonly Pick<ShardAccountLink, "userId">[],
  database: Database,
): Promise<ReadonlySet<number>> {
  const held = await rows<Pick<User, "id">>(database, lockUsersSql, [
    links.map(({ userId }) => userId),
  ]);
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
  await rows(database, lockUsersOfLinksSql, [moved.userIds, moved.accountKeys]);
}

type LinkKey = Pick<GameAccountLink, "accountKey">;

/** Returns the keys whose accounts are linked to a user of the site. */
export async function readLinkedKeys(
  keys: readonly string[],
  database: Database,
): Promise<ReadonlySet<string>> {
  const linked = await rows<LinkKey>(database, selectKnownKeysSql, [keys]);
  return new Set(linked.map((link) => link.accountKey));
}

export async function removeLinks(accounts: readonly string[], database: Database): Promise<void> {
  const keys = accounts.map(accountKey);
  await executeStatement(database, deleteLinksSql, [keys]);
}

/** Makes the stored links equal to the shard's list. Links that changed after `askedAt` stay unchanged. */
export async function reconcileLinks(
  links: readonly ShardAccountLink[],
  askedAt: DatabaseTime,
  database: Database,
): Promise<void> {
  const mirrored = await rows<LinkKey>(database, selectKeysSql);
  const keys = [
    ...mirrored.map((link) => link.accountKey),
    ...links.map(({ account }) => accountKey(account)),
  ];
  const newer = await findStaleAccounts("game account", { keys, askedAt }, database);
  await lockExistingUsers(links, database);
  // Also delete links that the shard now lists for another user, even if that user is unknown here.
  await executeStatement(database, deleteOtherLinksSql, [
    [...newer],
    links.map(({ account }) => accountKey(account)),
    links.map(({ userId }) => userId),
  ]);
  await writeLinks(
    links.filter(({ account }) => !newer.has(accountKey(account))),
    database,
  );
}
