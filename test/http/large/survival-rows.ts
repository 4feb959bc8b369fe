import { countedStats } from "../../../shared/survival/kinds/stat-names.ts";
import type { LargeSize } from "./size.ts";

/** Returns the Steam id of a player by number, as an SQL expression. */
const steamId = (number: string): string => `(76561198000000000 + ${number})::text`;

const stats = `array['${countedStats.join("', '")}', 'playtime']`;

/**
 * Returns a score as an SQL expression. Few scores are large, most are small, and many are equal.
 */
const value = (number: string): string =>
  `(1 + exp(10 * power((hashint4extended(${number}, stat.place) & 4294967295) / 4294967296.0, 2)))::bigint`;

/**
 * Returns a statement that inserts the scores of players in one world. The players are numbered from `first`.
 * `figures` is the number of stats per player.
 */
const scores = (wipeId: number, first: number, players: number, figures: number): string => `
  insert into survival_scores (wipe_id, stat, steam_id, value, reached_at)
  select ${wipeId}, stat.name, ${steamId("n")}, ${value(`n + ${wipeId}`)},
    now() - n * interval '1 second'
  from unnest(${stats}) with ordinality as stat (name, place)
  cross join generate_series(${first}, ${first + players - 1}) n
  where stat.place <= ${figures} order by stat.name, n`;

const tallies = (wipeId: number, first: number, players: number): string => `
  insert into survival_tallies (wipe_id, steam_id, name, is_staff)
  select ${wipeId}, ${steamId("n")}, 'Player ' || n, n % 1000 = 0
  from generate_series(${first}, ${first + players - 1}) n`;

/**
 * Returns the statements that insert two servers with a current world. One of them has two ended
 * worlds too.
 */
export const survivalRows = ({ players, events }: LargeSize): string[] => [
  `insert into survival_servers (id, slug, name, enabled, listed, base_url, ws_url)
   overriding system value
   select n, 'large-' || n, 'Large ' || n, false, true, '', '' from generate_series(1, 2) n`,
  "insert into ingest_sources (source) values ('survival:1'), ('survival:2')",
  "insert into survival_server_states (server_id, save_id) values (1, 3), (2, 1)",
  `insert into survival_wipes (id, server_id, save_id, started_at, ended_at)
   overriding system value values
   (1, 1, 1, now() - interval '90 days', now() - interval '60 days'),
   (2, 1, 2, now() - interval '60 days', now() - interval '30 days'),
   (3, 1, 3, now() - interval '30 days', null), (4, 2, 1, now() - interval '30 days', null)`,
  `insert into survival_sightings (server_id, steam_id, name)
   select server, ${steamId("n")}, 'Player ' || n
   from generate_series(1, ${players}) n cross join generate_series(1, 2) server`,
  tallies(1, 1, players / 2),
  tallies(2, 1, players / 2),
  tallies(3, 1, players),
  tallies(4, players / 2, players / 2),
  scores(1, 1, players / 2, 6),
  scores(2, 1, players / 2, 6),
  scores(3, 1, players, 24),
  scores(4, players / 2, players / 2, 24),
  `insert into survival_title_rules (server_id, position, stat, top_n, enabled)
   select server, place, name, 10, true
   from unnest(${stats}) with ordinality as stat (name, place)
   cross join generate_series(1, 2) server`,
  `insert into survival_npc_profiles (key, document)
   select 'boss-' || n, jsonb_build_object('displayName', 'Boss ' || n, 'boss', true, 'ranked', true)
   from generate_series(1, 10) n`,
  `insert into survival_npc_kills (wipe_id, profile_key, steam_id, kills, last_at)
   select wipe, 'boss-' || stat.place, ${steamId("n")}, ${value("n::integer")}, now() - n * interval '1 second'
   from generate_series(1, ${players}) n cross join generate_series(3, 4) wipe
   cross join generate_series(1, 10) stat (place)
   where wipe = 3 or stat.place <= 3`,
  `insert into survival_clans
     (id, server_id, clan_id, created, name, rank, member_count, first_seen_at, last_seen_at)
   overriding system value
   select n, 1, n, n, 'Clan ' || n, n, 50, now(), now() from generate_series(1, ${players / 50}) n`,
  `insert into survival_clan_members (clan_row_id, steam_id, name)
   select 1 + (n - 1) / 50, ${steamId("n")}, 'Player ' || n from generate_series(1, ${players}) n`,
  `insert into survival_presence (server_id, steam_id, name, connected_at)
   select 1, ${steamId("n")}, 'Player ' || n, now() from generate_series(1, 500) n`,
  `insert into survival_events (server_id, epoch, seq, kind, t, payload, created_at)
   select 1, 'e', n,
     case when n % 1000 = 0 then 'survival.npc.died' when n % 3 = 0 then 'player.died'
       when n % 3 = 1 then 'player.joined' else 'player.respawned' end,
     n,
     case when n % 1000 = 0 then jsonb_build_object('profile', 'boss-1', 'x', 1, 'y', 1, 'z', 1)
       when n % 3 = 0 then jsonb_build_object('x', 1, 'y', 1, 'z', 1, 'killer',
         jsonb_build_object('kind', 'environment'), 'victim',
         jsonb_build_object('steamId', ${steamId(`n % ${players}`)}, 'name', 'Player'))
       else jsonb_build_object('steamId', ${steamId(`n % ${players}`)}, 'name', 'Player') end,
     now() - n * interval '1 second'
   from generate_series(1, ${events / 2}) n`,
];
