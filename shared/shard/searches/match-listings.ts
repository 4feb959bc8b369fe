import { setTimeout as sleep } from "node:timers/promises";

import type { Transaction } from "sequelize";

import type { Context } from "../../context.ts";
import { rows } from "../../db/rows.ts";
import { inTransaction } from "../../db/transaction.ts";
import { announce } from "../../push/announce/announce.ts";
import { ChangeIndex, type ListingChange, type Search } from "./match.ts";
import { gatherMs } from "./order-matching.ts";

/** Changed listings that are matched at once. */
const batchSize = 2_000;

/**
 * Looks for saved searches that changed listings came to match, and has their owners told. Which
 * listings changed is forgotten with what came of it, in one transaction: none is told of twice.
 */
export async function matchListings(context: Context, signal: AbortSignal): Promise<void> {
  await sleep(gatherMs, undefined, { signal });
  // A writer may have met this job before it began: what that writes is waited for.
  await rows(context.sequelize, "select from market_meta for key share");
  while (await matchBatch(context)) signal.throwIfAborted();
}

/** @returns whether there may be more */
function matchBatch(context: Context): Promise<boolean> {
  return inTransaction(context.sequelize, async (transaction) => {
    const taken = await takeChanges(transaction);
    if (taken.length === 0) return false;
    const index = new ChangeIndex(taken.filter(({ price }) => price !== null) as ListingChange[]);
    const searches = await readSearches(index.terms, transaction);
    const matched = searches.filter((search) => index.matches(search));
    await noteMatches(matched, transaction, context);
    return taken.length === batchSize;
  });
}

/** A listing may be gone by now: then it has no price. */
type Taken = Omit<ListingChange, "price"> & { readonly price: number | null };

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
    link.user_id as "ownerId"
  from first
  left join listings listing using (vendor_serial, serial)
  left join places place on place.id = listing.place_id
  left join shard_links link on link.account_key = first.owner_key`;

const takeChanges = (transaction: Transaction): Promise<Taken[]> => rows<Taken>(transaction, take);

const readSearches = (terms: readonly string[], transaction: Transaction): Promise<Search[]> =>
  rows<Search>(
    transaction,
    `select id, user_id as "userId", term, query from market_searches
     where enabled and term = any($1::text[])`,
    [terms],
  );

interface Noted {
  readonly id: number;
  readonly userId: number;
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
  update market_searches search set
    last_match_at = matched.at,
    last_push_at = case when search.last_push_at > matched.at - interval '15 minutes'
      then search.last_push_at else matched.at end
  from matched where search.id = matched.id
  returning search.id, search.user_id as "userId", matched.at::text as at,
    search.last_push_at = matched.at as "isDue"`;

async function noteMatches(
  searches: readonly Search[],
  transaction: Transaction,
  context: Context,
): Promise<void> {
  if (searches.length === 0) return;
  const noted = await rows<Noted>(transaction, note, [searches.map(({ id }) => id)]);
  const due = noted.filter(({ isDue }) => isDue);
  const announcements = due.map(({ id, userId, at }) => {
    const ref = String(id);
    return { stream: "market.match", ref, key: `search ${ref} ${at}`, userId } as const;
  });
  await announce(announcements, transaction, context);
}
