import type { LargeSize } from "./size.ts";

const facets = "array['Felucca', 'Trammel', 'Malas', 'Tokuno']";

/** Returns the statements that insert a market, the shard's events and the objects of its world. */
export const shardRows = ({ listings, events }: LargeSize): string[] => [
  `insert into places (id, map, region) overriding system value
   select n, (${facets})[1 + n % 4], 'Town ' || n from generate_series(1, 100) n`,
  // One listing in twenty has the most common item. Most items are rare.
  `insert into listing_labels (id, key, name, display_name) overriding system value
   select n, gen_random_uuid(), 'Katana number ' || n, 'Katana number ' || n
   from generate_series(1, ${listings / 50}) n`,
  `insert into vendors (serial, fingerprint, listed, shop_name, place_id, map, region, x, y, z,
     count, total, updated_at)
   select n, gen_random_uuid(), true, 'Shop ' || n, 1 + n % 100, (${facets})[1 + n % 4],
     'Town ' || 1 + n % 100, n % 5000, n % 4000, 0, 20, 20, now() - n * interval '1 second'
   from generate_series(1, ${listings / 20}) n`,
  `insert into listings (vendor_serial, serial, digest, item_id, hue, amount, price, label_id,
     place_id, child, updated_at, search_name)
   select vendor, n, gen_random_uuid(), 3000 + label % 500, 0, 1,
     (1 + exp(12 * (hashint4extended(n, 1) & 4294967295) / 4294967296.0))::integer, label, 1 + vendor % 100, false,
     now() - n * interval '1 second', 'katana number ' || label
   from generate_series(1, ${listings}) n
   cross join lateral (select 1 + (n - 1) / 20 as vendor,
     case when n % 20 = 0 then 1 else 1 + n % ${listings / 50} end as label) given`,
  `insert into listing_names (label_id, listings, search_name)
   select label_id, count(*), min(search_name) from listings group by label_id
   on conflict (label_id) do update
   set listings = excluded.listings, search_name = excluded.search_name`,
  `update market_meta set vendors = ${listings / 20}, items = ${listings}, version = 1`,
  `insert into shard_events (source, epoch, seq, kind, t, payload, reach)
   select 'shard', 'e', n,
     (array['player.login', 'vendor.sale', 'player.death', 'house.placed', 'admin.audit'])[1 + n % 5],
     n, jsonb_build_object('name', 'Somebody', 'price', n % 1000, 'ownerAcct', 'account-' || n % 1000),
     case when n % 5 in (1, 4) then 'staff' else 'public' end
   from generate_series(1, ${events / 2}) n`,
  `insert into houses (serial, state, t)
   select '0x' || lpad(upper(to_hex(n)), 8, '0'), jsonb_build_object('name', 'House ' || n,
     'map', 'Felucca', 'x', 1, 'y', 1, 'z', 1, 'stage', case when n % 40 = 0 then 'IDOC' else 'LikeNew' end), 1
   from generate_series(1, 20000) n`,
  `insert into points_boards (system, state, t)
   select 'Board' || n, jsonb_build_object('system', 'Board' || n, 'displayName', 'Board ' || n, 'top',
     '[]'::jsonb), 1 from generate_series(1, 20) n`,
  `insert into shard_links (account_key, account, user_id, linked_at)
   select 'account-' || id, 'account-' || id, id, now() from users`,
  `insert into online_characters (serial, name, account_key, map, x, y, z, region)
   select '0x' || lpad(upper(to_hex(n)), 8, '0'), 'Somebody ' || n, 'account-' || n,
     (${facets})[1 + n % 4], 1, 1, 0, 'Town' from generate_series(1, 2000) n`,
  "update atlas_state set generation = 1",
  `insert into atlas_facets (generation, name, regions, rects, spawners, entries, total)
   select 1, facet, 500, 2000, 10000, 30000, 30000 from unnest(${facets}) facet`,
  `insert into atlas_regions (generation, id, key, facet, name, level, priority, guarded, housing,
     logout_delay, area)
   select 1, n, 'region-' || n, (${facets})[1 + n % 4], 'Region ' || n, 1, 1, true, true, true, n
   from generate_series(1, 2000) n`,
  `insert into atlas_rects (generation, region_id, x1, y1, z1, x2, y2, z2)
   select 1, 1 + n % 2000, n % 5000, n % 4000, 0, n % 5000 + 20, n % 4000 + 20, 0
   from generate_series(1, 8000) n`,
  `insert into atlas_spawners (generation, id, key, facet, x, y, z, home_range, walk_range, count,
     min_delay_sec, max_delay_sec, running, names)
   select 1, n, 'spawner-' || n, (${facets})[1 + n % 4], n % 5000, n % 4000, 0, 5, 5, 1, 1, 1, true,
     concat_ws(E'\\n', 'thing' || n % 800, 'thing' || (n + 1) % 800, 'thing' || (n + 2) % 800)
   from generate_series(1, 40000) n`,
  `insert into atlas_entries (generation, spawner_id, place, type, type_key, max)
   select 1, n, place, 'Thing' || (n + place) % 800, 'thing' || (n + place) % 800, 1
   from generate_series(1, 40000) n cross join generate_series(0, 2) place`,
  `insert into atlas_creatures (generation, type_key, type)
   select 1, 'thing' || n, 'Thing' || n from generate_series(0, 799) n`,
];
