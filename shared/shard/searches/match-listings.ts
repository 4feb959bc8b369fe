import { setImmediate as giveWay, setTimeout as sleep } from "node:timers/promises";

import { col, type Transaction } from "sequelize";

import type { MarketSearch } from "../../../models/market/market-search.ts";
import { publishFacts } from "../../facts/publish-facts.ts";
import { isUserInAudienceSql, isInAudience, type Rung } from "../../platform/access/roles.ts";
import { rows } from "../../platform/db/rows.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import type { ShardContext } from "../context.ts";
import { lockExistingUsers } from "../owners/link-mirror.ts";
import type { Visibility } from "../visibility/visibility.ts";
import { debounceMs } from "./changed-listings.ts";
import { ChangedListingIndex, type ChangedListing, type SearchToMatch } from "./match.ts";

const batchSize = 2_000;

/**
 * Finds saved searches that changed listings newly match, and notifies their owners. One transaction deletes
 * the changes and stores the matches, so no change is announced twice.
 */
export async function matchListings(context: ShardContext, signal: AbortSignal): Promise<void> {
  await sleep(debounceMs, undefined, { signal });
  // While this job is pending, writers enqueue no other job. So wait until running writers have committed their
  // changes.
  await inTransaction(context.sequelize, async (transaction) => {
    const lock = transaction.LOCK.KEY_SHARE;
    await context.models.MarketMeta.findOne({ attributes: ["id"], transaction, lock });
  });
  while (await matchBatch(context)) signal.throwIfAborted();
}

/** Matches a batch. @returns true if more may remain */
function matchBatch(context: ShardContext): Promise<boolean> {
  return inTransaction(context.sequelize, async (transaction) => {
    const taken = await takeChanges(transaction);
    const [first] = taken;
    if (!first) return false;
    const index = new ChangedListingIndex(taken.filter(stillExists));
    const needed = readRequiredLevels(context.visibility.current);
    const searches = await readSearches(index.terms, needed, transaction);
    await recordMatches(await findMatches(index, searches), transaction, context);
    return first.takenCount === batchSize;
  });
}

const searchesAtOnce = 100;

async function findMatches(
  index: ChangedListingIndex,
  searches: readonly SearchToMatch[],
): Promise<SearchToMatch[]> {
  const matched: SearchToMatch[] = [];
  for (const [at, search] of searches.entries()) {
    if (at % searchesAtOnce === 0) await giveWay();
    if (index.matches(search)) matched.push(search);
  }
  return matched;
}

/** A change that was read and deleted; `price` and `itemId` are null if the listing is gone. */
type TakenChange = Omit<ChangedListing, "price" | "itemId"> & {
  readonly price: number | null;
  readonly itemId: number | null;
  /** Number of deleted changes, including several of one listing. */
  readonly takenCount: number;
};

const stillExists = (taken: TakenChange): taken is TakenChange & ChangedListing =>
  taken.price !== null && taken.itemId !== null;

/** Merges the changes of a listing into one: from the state before its first change to its current state. */
const takeChangesSql = `
  with taken as (
    delete from listing_news where id in (
      select id from listing_news order by id limit ${batchSize} for update skip locked)
    returning id, vendor_serial, serial, former_price, former_name, owner_key
  ), first as (
    select distinct on (vendor_serial, serial) * from taken order by vendor_serial, serial, id
  )
  select listing.price, listing.item_id as "itemId", listing.search_name as "searchName",
    place.map, place.region, former_price as "formerPrice", former_name as "formerName",
    link.user_id as "ownerId", (select count(*) from taken)::integer as "takenCount"
  from first
  left join listings listing using (vendor_serial, serial)
  left join places place on place.id = listing.place_id
  left join shard_links link on link.account_key = first.owner_key`;

const takeChanges = (transaction: Transaction): Promise<TakenChange[]> =>
  rows<TakenChange>(transaction, takeChangesSql);

/** Reads the searches that their owners may run, in the order that `ChangedListingIndex` requires. */
const readSearches = (
  terms: readonly string[],
  { plain, byPlace }: RequiredLevels,
  transaction: Transaction,
): Promise<SearchToMatch[]> =>
  rows<SearchToMatch>(
    transaction,
    `select search.id, search.user_id as "userId", search.query
     from market_searches search
     join users on users.id = search.user_id
     cross join lateral (select case
       when jsonb_exists_any(search.query, array['map', 'region']) then $3::text
       else $2::text end as rung) as needed
     where search.enabled and search.term = any($1::text[]) and ${isUserInAudienceSql("needed.rung")}
     order by search.term, search.query - '{minPrice,maxPrice}'::text[]`,
    [terms, plain, byPlace],
  );

interface DueSearch extends Readonly<Pick<MarketSearch, "id" | "userId">> {
  readonly at: string;
  /** True if the owner got no message about this search within the last 15 minutes. */
  readonly isDue: boolean;
}

/** Stores the matches. Rows are locked in the order of ids, so that two concurrent runs cannot deadlock. */
const recordMatchesSql = `
  with matched as (
    select id, clock_timestamp() as at from market_searches
    where id = any($1::integer[]) and enabled order by id for no key update
  )
  update market_searches search set last_match_at = matched.at
  from matched where search.id = matched.id
  returning search.id, search.user_id as "userId", matched.at::text as at,
    coalesce(search.last_push_at <= matched.at - interval '15 minutes', true) as "isDue"`;

async function recordMatches(
  searches: readonly SearchToMatch[],
  transaction: Transaction,
  context: ShardContext,
): Promise<void> {
  // Lock owners before their searches, in the same order as the deletion of an owner.
  const owners = await lockExistingUsers(searches, transaction);
  const matched = searches.filter(({ userId }) => owners.has(userId));
  if (matched.length === 0) return;
  const noted = await rows<DueSearch>(transaction, recordMatchesSql, [matched.map(({ id }) => id)]);
  const due = noted.filter(({ isDue }) => isDue);
  if (due.length === 0) return;
  const announcements = due.map(({ id, userId, at }) => {
    const ref = String(id);
    return { stream: "market.match", ref, key: `search ${ref} ${at}`, userId } as const;
  });
  // If the announcements were not stored, `lastPushAt` stays, so the owner is notified of the next match.
  if (!(await publishFacts({ announcements }, { within: transaction, context }))) return;
  await modelsOf(transaction).MarketSearch.update(
    { lastPushAt: col("last_match_at") },
    { where: { id: due.map(({ id }) => id) }, transaction },
  );
}

/** The lowest access levels that may find listings; null if nobody may. */
interface RequiredLevels {
  readonly plain: Rung | null;
  /** The level for searches by facet or region: their matches reveal the places of vendors. */
  readonly byPlace: Rung | null;
}

/** A search needs the same access level as the listings that it finds. */
function readRequiredLevels({ market }: Visibility): RequiredLevels {
  const { enabled, audience, fieldRules } = market;
  if (!enabled) return { plain: null, byPlace: null };
  const ofPlaces = fieldRules["location"] ?? null;
  return {
    plain: audience,
    byPlace: ofPlaces && (isInAudience(ofPlaces, audience) ? ofPlaces : audience),
  };
}
