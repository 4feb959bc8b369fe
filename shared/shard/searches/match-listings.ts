import { setImmediate as giveWay, setTimeout as sleep } from "node:timers/promises";

import { col, type Transaction } from "sequelize";

import type { MarketSearch } from "../../../models/market/market-search.ts";
import { tell } from "../../facts/tell.ts";
import { userReaches, reaches, type Rung } from "../../platform/access/roles.ts";
import { rows } from "../../platform/db/rows.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import type { ShardContext } from "../context.ts";
import { holdUsers } from "../owners/link-mirror.ts";
import type { Visibility } from "../visibility/visibility.ts";
import { gatherMs } from "./changed-listings.ts";
import { ChangeIndex, type ListingChange, type Search } from "./match.ts";

/** Changed listings that are matched at once. */
const batchSize = 2_000;

/**
 * Looks for saved searches that changed listings came to match, and has their owners told. Which
 * listings changed is forgotten with what came of it, in one transaction: none is told of twice.
 */
export async function matchListings(context: ShardContext, signal: AbortSignal): Promise<void> {
  await sleep(gatherMs, undefined, { signal });
  // A writer may have met this job before it began: what that writes is waited for.
  await inTransaction(context.sequelize, async (transaction) => {
    const lock = transaction.LOCK.KEY_SHARE;
    await context.models.MarketMeta.findOne({ attributes: ["id"], transaction, lock });
  });
  while (await matchBatch(context)) signal.throwIfAborted();
}

/** @returns whether there may be more */
function matchBatch(context: ShardContext): Promise<boolean> {
  return inTransaction(context.sequelize, async (transaction) => {
    const taken = await takeChanges(transaction);
    const [first] = taken;
    if (!first) return false;
    const index = new ChangeIndex(taken.filter(({ price }) => price !== null) as ListingChange[]);
    const needed = neededRungs(context.visibility.current);
    const searches = await readSearches(index.terms, needed, transaction);
    await noteMatches(await matchedBy(index, searches), transaction, context);
    return first.takenCount === batchSize;
  });
}

/** Searches that are matched before this process does something else. */
const searchesAtOnce = 100;

async function matchedBy(index: ChangeIndex, searches: readonly Search[]): Promise<Search[]> {
  const matched: Search[] = [];
  for (const [at, search] of searches.entries()) {
    if (at % searchesAtOnce === 0) await giveWay();
    if (index.matches(search)) matched.push(search);
  }
  return matched;
}

/** A listing may be gone by now: then it has no price. */
type Taken = Omit<ListingChange, "price"> & {
  readonly price: number | null;
  /** Changes that were taken, those of one listing counted each. */
  readonly takenCount: number;
};

/** What changed more than once counts as one change, from what it was at first to what it is now. */
const take = `
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

const takeChanges = (transaction: Transaction): Promise<Taken[]> => rows<Taken>(transaction, take);

/**
 * Those whose owners may see now what they ask for; what asks for the same but for prices comes one after
 * another.
 */
const readSearches = (
  terms: readonly string[],
  { plain, byPlace }: NeededRungs,
  transaction: Transaction,
): Promise<Search[]> =>
  rows<Search>(
    transaction,
    `select search.id, search.user_id as "userId", search.query
     from market_searches search
     join users on users.id = search.user_id
     cross join lateral (select case
       when jsonb_exists_any(search.query, array['map', 'region']) then $3::text
       else $2::text end as rung) as needed
     where search.enabled and search.term = any($1::text[]) and ${userReaches("needed.rung")}
     order by search.term, search.query - '{minPrice,maxPrice}'::text[]`,
    [terms, plain, byPlace],
  );

interface Noted extends Readonly<Pick<MarketSearch, "id" | "userId">> {
  readonly at: string;
  /** Its owner was not told of another match within the last quarter of an hour. */
  readonly isDue: boolean;
}

/** Rows are locked in their order, so that two who note something of the same searches take turns. */
const note = `
  with matched as (
    select id, clock_timestamp() as at from market_searches
    where id = any($1::integer[]) and enabled order by id for no key update
  )
  update market_searches search set last_match_at = matched.at
  from matched where search.id = matched.id
  returning search.id, search.user_id as "userId", matched.at::text as at,
    coalesce(search.last_push_at <= matched.at - interval '15 minutes', true) as "isDue"`;

async function noteMatches(
  searches: readonly Search[],
  transaction: Transaction,
  context: ShardContext,
): Promise<void> {
  // Owners come before their searches, as where one is deleted with theirs.
  const owners = await holdUsers(searches, transaction);
  const matched = searches.filter(({ userId }) => owners.has(userId));
  if (matched.length === 0) return;
  const noted = await rows<Noted>(transaction, note, [matched.map(({ id }) => id)]);
  const due = noted.filter(({ isDue }) => isDue);
  if (due.length === 0) return;
  const announcements = due.map(({ id, userId, at }) => {
    const ref = String(id);
    return { stream: "market.match", ref, key: `search ${ref} ${at}`, userId } as const;
  });
  // An owner who could not be told hears of the next match.
  if (!(await tell({ announcements }, { within: transaction, context }))) return;
  await modelsOf(transaction).MarketSearch.update(
    { lastPushAt: col("last_match_at") },
    { where: { id: due.map(({ id }) => id) }, transaction },
  );
}

/** The lowest rungs whose searches match; null where nobody's do. */
interface NeededRungs {
  readonly plain: Rung | null;
  /** For those that ask by facet or region: they would tell where vendors stand. */
  readonly byPlace: Rung | null;
}

/** Who may see a listing may learn of it by a search. */
function neededRungs({ market }: Visibility): NeededRungs {
  const { enabled, audience, fieldRules } = market;
  if (!enabled) return { plain: null, byPlace: null };
  const ofPlaces = fieldRules["location"] ?? null;
  return {
    plain: audience,
    byPlace: ofPlaces && (reaches(ofPlaces, audience) ? ofPlaces : audience),
  };
}
