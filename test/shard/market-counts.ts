/** An SQL expression that returns how many of the market's stored counts are wrong. */
export const wrongCounts = `(
  select count(*)::integer from listing_counts
  full join (
    select 'item' as counted, item_id as key, count(*) as listings from listings group by 2
    union all
    select 'place', place_id, count(*) from listings where place_id is not null group by 2
  ) plain using (counted, key)
  where coalesce(listing_counts.listings, 0) <> coalesce(plain.listings, 0))`;

/** An SQL expression that returns how many segments of the market's sort orders have a wrong stored count. */
export const wrongSegments = `(
  select count(*)::integer from listing_segments segment
  full join (
    select holding.sort, holding.key, holding.serial, holding.vendor_serial, count(*) as listings
    from listings
    cross join lateral (values ('price_asc', price::bigint), ('price_desc', -price::bigint),
      ('recent', -(extract(epoch from updated_at) * 1000000)::bigint)) placed (sort, key)
    cross join lateral (
      select * from listing_segments known
      where known.sort = placed.sort and (known.key, known.serial, known.vendor_serial)
        <= (placed.key, listings.serial, listings.vendor_serial)
      order by key desc, serial desc, vendor_serial desc limit 1) holding
    group by 1, 2, 3, 4
  ) plain using (sort, key, serial, vendor_serial)
  where coalesce(segment.listings, 0) <> coalesce(plain.listings, 0))`;
