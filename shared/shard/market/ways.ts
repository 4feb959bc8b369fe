import type { Filters } from "./filters.ts";

/**
 * How the listings that match are found. The planner is not asked: it guesses what share of a
 * million names a term is in, and is wrong by a factor of a hundred either way.
 *
 * `label`, `item`, `place`: by what few listings are, one by one; the rest is tested on each.
 * `walk`: along the price index from end to end of the range, testing all on what it holds.
 */
export type Way = "label" | "item" | "place" | "walk";

/** Values that a statement binds, in the order of their places in it. */
export class Bound {
  readonly values: unknown[] = [];

  /** @returns the value's place: `$1` and on */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

/** The select of the keys of all that match, in no order. */
export function selectMatching(way: Way, filters: Filters, bound: Bound): string {
  if (way === "walk") return selectWalked(filters, "price, serial, vendor_serial", bound);
  const name = way === "label" ? byLabel(filters, bound) : nameLike(filters, bound);
  const place = way === "place" ? byVendor(filters, bound) : placeIn(filters, bound);
  return `select vendor_serial, serial from listings
    where ${name} and ${item(filters, bound)} and ${place} and ${price(filters, bound)}`;
}

/**
 * The same in an order that an index has, without a sort: it stops early under a limit.
 * `offset 0` fences the index's walk from the tests, or the planner would rather sort the table.
 */
export function selectWalked(filters: Filters, order: string, bound: Bound): string {
  return `select vendor_serial, serial from (
      select vendor_serial, serial, search_name, item_id, place_id from listings
      where ${price(filters, bound)} order by ${order} offset 0
    ) walked
    where ${nameLike(filters, bound)} and ${item(filters, bound)} and ${placeIn(filters, bound)}`;
}

const byLabel = ({ pattern }: Filters, bound: Bound): string =>
  `label_id = any(array(
     select label_id from listing_names where search_name like ${bound.add(pattern)}))`;

const nameLike = ({ pattern }: Filters, bound: Bound): string =>
  and(pattern !== undefined && `search_name like ${bound.add(pattern)}`);

const price = ({ minPrice, maxPrice }: Filters, bound: Bound): string =>
  and(
    minPrice !== undefined && `price >= ${bound.add(minPrice)}`,
    maxPrice !== undefined && `price <= ${bound.add(maxPrice)}`,
  );

const item = ({ itemId }: Filters, bound: Bound): string =>
  and(itemId !== undefined && `item_id = ${bound.add(itemId)}`);

const placeIn = ({ placeIds }: Filters, bound: Bound): string =>
  and(placeIds !== undefined && `place_id = any(${bound.add(placeIds)}::integer[])`);

const byVendor = ({ placeIds }: Filters, bound: Bound): string =>
  `vendor_serial = any(array(
     select serial from vendors
     where listed and place_id = any(${bound.add(placeIds)}::integer[])))`;

const and = (...conditions: readonly (string | false)[]): string =>
  conditions.filter(Boolean).join(" and ") || "true";
