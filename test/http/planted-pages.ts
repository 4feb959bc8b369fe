/** Every table that a planted row stands in. */
export const plantedTables = [
  "activity_log",
  "punishments",
  "appeals",
  "posts",
  "wiki_categories",
  "wiki_pages",
  "wiki_revisions",
  "search_entries",
  "search_words",
  "shard_links",
  "shard_events",
  "listing_labels",
  "listing_names",
  "vendors",
  "listings",
  "job_common",
  "job_progress",
  "webhooks",
  "webhook_deliveries",
  "event_definitions",
  "event_versions",
  "event_runs",
  "event_steps",
  "event_log_lines",
  "event_participations",
  "survival_servers",
  "survival_wipes",
  "survival_tallies",
  "survival_scores",
  "survival_sightings",
  "survival_npc_kills",
  "survival_clans",
  "survival_clan_members",
  "survival_events",
  "survival_grants",
  "survival_permission_rows",
  "survival_ledger",
  "survival_config_writes",
  "rejected_frames",
  "atlas_regions",
  "atlas_rects",
  "atlas_spawners",
  "atlas_entries",
  "atlas_creatures",
] as const;

/**
 * Statements that leave `many` rows of each table, as one import or one busy day leaves them.
 * @param owner the user to whom belongs what is listed by its owner
 */
export const plantingOf = (many: number, owner: number): string => `
  insert into users (username, username_key, role)
  select 'planted-' || n, 'planted-' || n, 'player' from generate_series(1, ${many}) n;
  create temporary table someone as
  select id, row_number() over (order by id)::integer as n from users where username like 'planted-%';
  insert into activity_log (actor_id, action) select id, 'planted' from someone;
  insert into punishments (account_key, account, reason, confirmed_at)
  select 'account-' || n, 'account-' || n, 'a reason', now() from someone;
  insert into appeals (user_id, punishment_id, account, reason, assignee_id)
  select someone.id, punishments.id, punishments.account, 'a reason', someone.id
  from someone join punishments on punishments.account = 'account-' || someone.n;
  insert into posts (slug, title, auto_excerpt, body, body_html, renderer, folded, status, author_id, published_at)
  select 'post-' || n, 'A title', '', '', '', 1, 'a title', 'published', id, now() from someone;
  insert into wiki_categories (slug, name) select 'category-' || n, 'A name' from someone;
  insert into wiki_pages (slug, title, category_id, body, body_html, toc, renderer, folded, status, updated_by)
  select 'page-' || n, 'A title', wiki_categories.id, '', '', '[]', 1, 'a title', 'published', someone.id
  from someone join wiki_categories on wiki_categories.slug = 'category-' || n;
  insert into wiki_revisions (page_id, revision, title, body, author_id)
  select (select min(id) from wiki_pages), n, 'A title', '', id from someone;
  insert into search_entries (type, ref_id, slug, title, text, heading, words, audience, visible_from)
  select 'post', id, slug, title, 'planted', 'planted', 'planted', 'anonymous', now() from posts;
  insert into search_words (word, latin) values ('planted', 'planted');
  ${own(owner)} ${shard} ${atlas} ${queues} ${events(owner)} ${survival} ${worlds}`;

const own = (owner: number): string => `
  insert into punishments (account_key, account, reason, confirmed_at, ended_at)
  select 'own-' || n, 'own-' || n, 'a reason', now(), now() from someone;
  insert into appeals (user_id, punishment_id, account, reason, state, decided_at)
  select ${owner}, punishments.id, punishments.account, 'a reason', 'rejected', now()
  from someone join punishments on punishments.account = 'own-' || someone.n;
  insert into shard_links (account_key, account, user_id, linked_at)
  select 'account-' || n, 'account-' || n, case when n = 1 then ${owner} else id end, now() from someone;
  insert into webhooks (format, shown_url, url_sealed, origin, streams)
  values ('json', 'https://planted', '', 'https://planted', '{}');
  insert into webhook_deliveries (webhook_id, stream, data, happened_at, give_up_at, state)
  select webhooks.id, 'news', '{}', now(), now(), 'failed' from webhooks, someone
  where shown_url = 'https://planted';`;

const shard = `
  insert into shard_events (source, epoch, seq, kind, t, payload, reach)
  select 'shard', 'e', n, 'vendor.sale', n, json_build_object('ownerAcct',
    'account-' || case when n % 4 = 0 then 1 else n end, 'price', 1,
    'item', json_build_object('itemType', 'Katana', 'amount', 1)), 'staff' from someone;
  insert into shard_events (source, epoch, seq, kind, t, payload, reach)
  select 'shard', 'e', 1000000 + n, 'admin.audit', n, '{"actor": {}, "command": "go"}', 'staff' from someone;
  insert into listing_labels (id, key, name, display_name) overriding system value
  select n, gen_random_uuid(), 'Thing ' || n, 'Thing ' || n from someone;
  insert into listing_names (label_id, listings, search_name)
  select n, 1, 'thing ' || n from someone
  on conflict (label_id) do update set listings = 1, search_name = excluded.search_name;
  insert into vendors (serial, fingerprint, listed, shop_name, count, total, updated_at)
  select n, gen_random_uuid(), true, 'A shop', 1, 1, now() from someone;
  insert into listings (vendor_serial, serial, digest, item_id, hue, amount, price, label_id, child, updated_at, search_name)
  select case when n % 4 = 0 then 1 else n end, n, gen_random_uuid(), 1, 0, 1, n, n, false, now(), 'thing ' || n
  from someone;
  update market_meta set vendors = (select count(*) from vendors), items = (select count(*) from listings);`;

const atlas = `
  insert into rejected_frames (source, reason, excerpt) select 'shard', 'BAD_JSON', '{' from someone;
  update atlas_state set generation = 1;
  insert into atlas_facets (generation, name, regions, rects, spawners, entries, total)
  select 1, 'Felucca', count(*), count(*), count(*), count(*), count(*) from someone;
  insert into atlas_regions (generation, id, key, facet, level, priority, guarded, housing, logout_delay, area)
  select 1, n, 'region-' || n, 'Felucca', 1, 1, true, true, true, n from someone;
  insert into atlas_rects (generation, region_id, x1, y1, z1, x2, y2, z2)
  select 1, n, n, n, 0, n, n, 0 from someone;
  insert into atlas_spawners (generation, id, key, facet, x, y, z, home_range, walk_range, count,
    min_delay_sec, max_delay_sec, running)
  select 1, n, 'spawner-' || n, 'Felucca', n, n, 0, 1, 1, 1, 1, 1, true from someone;
  insert into atlas_entries (generation, spawner_id, place, type, type_key, max)
  select 1, n, 0, 'Thing' || n, 'thing' || n, 1 from someone;
  insert into atlas_creatures (generation, type_key, type)
  select 1, 'thing' || n, 'Thing' || n from someone;`;

const queues = `
  insert into pgboss.job (name, state, output, completed_on, started_on)
  select 'ops.prune-processes', 'failed', '{"message": "it broke"}', now(), now() from someone;
  insert into job_progress (job_id, queue, phase, done)
  select id, name, 'a phase', 1 from pgboss.job where state = 'failed';`;

const events = (owner: number): string => `
  insert into event_definitions (slug, title, spec, state)
  select 'planted-' || n, 'A title', '{}', 'ready' from someone;
  insert into event_versions (definition_id, number, title, summary, body, timezone, grace_seconds, spec, spec_sha256)
  select id, 1, 'A title', '', '', 'UTC', 60, '{"listed": true}', '' from event_definitions;
  update event_definitions set current_version_id = event_versions.id
  from event_versions where definition_id = event_definitions.id;
  insert into event_runs (definition_id, version_id, scope, status, started_by, scheduled_for)
  select event_versions.definition_id, event_versions.id, 'shard', 'completed', someone.id, now()
  from someone join event_definitions on slug = 'planted-' || n
  join event_versions on definition_id = event_definitions.id;
  insert into event_steps (run_id, phase, phase_index, seq, key, action_id, action_version, params,
    offset_seconds, on_failure, confirm, budget_ms, tries_allowed, idempotency_key, status, started_at)
  select id, 'p', 0, 0, 'k', 'a', 1, '{}', 0, 'continue', false, 1, 1, id::text, 'running', now()
  from event_runs;
  insert into event_log_lines (run_id, kind) select (select min(id) from event_runs), 'started' from someone;
  insert into event_participations (run_id, user_id, rewards) select id, ${owner}, '[]' from event_runs;`;

const survival = `
  insert into survival_servers (slug, name, enabled, listed) values ('planted', 'Planted', false, true);
  insert into ingest_sources (source) select 'survival:' || id from survival_servers;
  insert into survival_server_states (server_id, save_id) select id, 1 from survival_servers;
  create temporary table placed as
  select someone.*, survival_servers.id as server_id, (76561198000000000 + n)::text as steam_id
  from someone, survival_servers where slug = 'planted';
  insert into survival_wipes (server_id, save_id, started_at)
  select server_id, 1, now() from placed limit 1;
  insert into survival_sightings (server_id, steam_id, name)
  select server_id, steam_id, 'A name' from placed on conflict do nothing;
  insert into survival_tallies (wipe_id, steam_id, name)
  select wipe.id, steam_id, 'A name' from placed join survival_wipes wipe using (server_id);
  insert into survival_scores (wipe_id, stat, steam_id, value)
  select wipe.id, 'playersKilled', steam_id, n from placed join survival_wipes wipe using (server_id);
  insert into survival_npc_kills (wipe_id, profile_key, steam_id, kills, last_at)
  select wipe.id, 'boss', steam_id, n, now() from placed join survival_wipes wipe using (server_id);
  insert into survival_clans (server_id, clan_id, created, name, rank, first_seen_at, last_seen_at)
  select server_id, n::text, '1', 'A clan', n, now(), now() from placed;
  insert into survival_clan_members (clan_row_id, steam_id, name)
  select clan.id, steam_id, 'A name' from placed join survival_clans clan
    on clan.server_id = placed.server_id and clan_id = n::text;
  insert into survival_events (server_id, epoch, seq, kind, t, payload)
  select server_id, 'e', n, 'player.died', n, json_build_object('x', 1, 'y', 1, 'z', 1,
    'victim', json_build_object('steamId', steam_id, 'name', 'A name'),
    'killer', json_build_object('kind', 'environment')) from placed;
  insert into survival_grants (kind, steam_id, value, scope_all, server_ids, created_by, expires_at)
  select 'permission', steam_id, 'planted', true, '{}', id, now() from placed;
  insert into survival_permission_rows (server_id, subject_kind, subject, kind, value, state)
  select server_id, 'user', steam_id, 'permission', 'planted', 'pushed' from placed;`;

/** A server that was wiped often. */
const worlds = `
  insert into survival_servers (slug, name, enabled, listed) values ('wiped', 'Wiped', false, true);
  insert into ingest_sources (source)
  select 'survival:' || id from survival_servers where slug = 'wiped';
  insert into survival_server_states (server_id, save_id)
  select id, 1 from survival_servers where slug = 'wiped';
  create temporary table wiped as
  select someone.*, survival_servers.id as server_id, (76561198000000000 + n)::text as steam_id
  from someone, survival_servers where slug = 'wiped';
  insert into survival_wipes (server_id, save_id, started_at) select server_id, n, now() from wiped;
  insert into survival_sightings (server_id, steam_id, name)
  select server_id, steam_id, 'A name' from wiped;
  insert into survival_tallies (wipe_id, steam_id, name)
  select wipe.id, steam_id, 'A name' from wiped join survival_wipes wipe
    on wipe.server_id = wiped.server_id and save_id = n;
  insert into survival_scores (wipe_id, stat, steam_id, value)
  select wipe.id, 'playersKilled', steam_id, n from wiped join survival_wipes wipe
    on wipe.server_id = wiped.server_id and save_id = n;
  insert into survival_ledger (server_id, what, ref, state)
  select server_id, 'zone', n::text, 'confirmed' from wiped;
  insert into survival_config_writes (write_id, server_id, plugin, file, created_by, settle_by,
    state, outcome, settled_at, before_hash, written_hash, request_hash)
  select gen_random_uuid(), server_id, 'Planted', 'Planted.json', id, now(), 'settled', 'ok', now(), '', '', '' from wiped;`;
