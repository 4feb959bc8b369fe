import { QueryTypes, type Sequelize } from "sequelize";

/** Every column that names a user: by a foreign key, or by its name. */
export async function columnsOfUsers(sequelize: Sequelize): Promise<string[]> {
  const found = await sequelize.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type in ('integer', 'bigint')
       and (column_name ~ '^(user|actor|author|owner|assignee|creator)_id$' or column_name ~ '_by$')
     union
     select c.relname || '.' || a.attname from pg_constraint k
     join pg_class c on c.oid = k.conrelid
     join pg_attribute a on a.attrelid = c.oid and a.attnum = any(k.conkey)
     where k.contype = 'f' and k.confrelid = 'users'::regclass
     union select 'users.id'`,
    { type: QueryTypes.SELECT },
  );
  return found.map(({ name }) => name).toSorted();
}

/** Documents of the games that name players. */
const documents = [
  "shard_events.payload",
  "survival_events.payload",
  "survival_participations.members",
  "survival_permission_inventories.users",
  "survival_permission_rows.subject",
];

/** Every column that names an account of a game or of Steam, or a character, which may be a user's. */
export async function columnsOfPlayers(sequelize: Sequelize): Promise<string[]> {
  const found = await sequelize.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public'
       and column_name ~ '(^|_)(steam_?id|account|account_key|acct|player_id|owner_serial)$'`,
    { type: QueryTypes.SELECT },
  );
  return [...found.map(({ name }) => name), ...documents].toSorted();
}

/** Tables with a row that names the user. */
export async function tablesWithRowsOf(userId: number, sequelize: Sequelize): Promise<string[]> {
  const tables = new Set<string>();
  for (const name of await columnsOfUsers(sequelize)) {
    const [table, column] = name.split(".");
    const rows = await sequelize.query(`select 1 from ${table} where ${column} = $1 limit 1`, {
      bind: [userId],
      type: QueryTypes.SELECT,
    });
    if (rows.length > 0) tables.add(table as string);
  }
  return [...tables].toSorted();
}

/**
 * A row of each table that names a user; `label` stands in every text of it, `secret` where it must
 * not be told, and `victim` where it is somebody else's.
 */
const rowsOf = (label: string, id: number): readonly string[] => [
  `insert into auth_challenges (id, user_id, kind, issued_at, expires_at)
   values (gen_random_uuid(), ${id}, 'totp', 0, now())`,
  `insert into revoked_tokens (token_id, user_id, expires_at) values (gen_random_uuid(), ${id}, now())`,
  `insert into totp_pending (user_id, secret_sealed, expires_at) values (${id}, '${label} secret', now())`,
  `insert into totp_used (user_id, purpose, step) values (${id}, 'auth', 1)`,
  `insert into recovery_codes (user_id, slot, code_hash) values (${id}, '7K', '${label} secret')`,
  `insert into trusted_devices (user_id, token_hash, label, expires_at)
   values (${id}, sha256('${label} td secret'), '${label} browser', now() + interval '1 day')`,
  `with family as (
     insert into mobile_families (user_id, signed_in_at, expires_at, revoked_at, revoke_reason)
     values (${id}, 0, now() + interval '1 day', now(), 'logout') returning id)
   insert into mobile_sessions (family_id, token_hash, device_name, issued_at, expires_at)
   select id, sha256('${label} rt secret'), '${label} phone', 0, now() from family`,
  `insert into identities (user_id, provider_id, provider_name, issuer, subject)
   values (${id}, 'discord', '${label} provider', 'https://${label}.example', '${label} subject')`,
  `insert into sso_transactions (state_hash, browser_hash, provider_id, mode, user_id, code_verifier, expires_at)
   values (sha256('${label} st secret'), '', 'google', 'link', ${id}, '${label} secret', now())`,
  `insert into mobile_sso_codes (code_hash, user_id, identity_id, code_challenge, issued_at, expires_at)
   select sha256('${label} ms secret'), ${id}, id, '${label} secret', 0, now()
   from identities where user_id = ${id}`,
  `insert into password_resets (token_hash, user_id, expires_at)
   values (sha256('${label} pr secret'), ${id}, now() + interval '1 hour')`,
  `insert into invites (token_hash, email, role, created_by, expires_at)
   values (sha256('${label} i secret'), 'victim@invited.example', 'player', ${id}, now() + interval '1 day')`,
  `insert into invites (email, role, accepted_user_id, accepted_at, expires_at)
   values ('${label}@invited.example', 'player', ${id}, now(), now())`,
  `insert into api_tokens (name, token_hash, role, scopes, created_by)
   values ('${label} bot', sha256('${label} api secret'), 'editor', '{shard:read}', ${id})`,
  `insert into shard_links (account_key, account, user_id, linked_at)
   values ('${label} account', '${label} account', ${id}, now())`,
  `insert into steam_links (steam_id, user_id, name)
   values ('765611980' || lpad(${id}::text, 8, '0'), ${id}, '${label} steam')`,
  `insert into push_devices (user_id, endpoint, origin, p256dh, auth, device_name)
   values (${id}, 'https://push.test/${label} secret', 'https://push.test', '${label} secret',
     '${label} secret', '${label} device')`,
  `insert into market_searches (user_id, name, query, term)
   values (${id}, '${label} search', '{"q":"${label} wish"}', 'name ${label}')`,
  `insert into push_subscriptions (user_id, stream) values (${id}, 'news.post')`,
  `insert into pushes (stream, ref, event_key, user_id, expires_at)
   values ('vendor.sale', '1', '${label} event', ${id}, now())`,
  `insert into punishments (account_key, account, reason, issued_by, confirmed_at)
   values ('${label} victim', '${label} victim', '${label} victim', ${id}, now())`,
  `with banned as (
     insert into punishments (account_key, account, reason, confirmed_at)
     values ('${label} account', '${label} account', '${label} ban', now()) returning id),
   appealed as (
     insert into appeals (user_id, punishment_id, account, reason, state, assignee_id, decided_by)
     select ${id}, id, '${label} account', '${label} appeal', 'rejected', ${id}, ${id} from banned
     returning id)
   insert into appeal_messages (appeal_id, author, author_id, body, internal)
   select id, 'player', ${id}, '${label} message', false from appealed
   union all select id, 'staff', null, '${label} secret', true from appealed`,
  `insert into paused_queues (queue, paused_by) values ('queue of user ${id}', ${id})`,
  `insert into event_action_settings (action_id, enabled, updated_by)
   values ('action of user ${id}', true, ${id})`,
  `with definition as (
     insert into event_definitions (title, slug, summary, body, timezone, grace_seconds, spec)
     values ('x', 'slug-of-user-${id}', '', '', 'UTC', 60, '{}') returning id
   ), version as (
     insert into event_versions (definition_id, number, title, summary, body, timezone,
       grace_seconds, spec, spec_sha256, published_by, verified_by)
     select id, 1, 'x', '', '', 'UTC', 60, '{}', '\\x00', ${id}, ${id} from definition
     returning id, definition_id
   ), run as (
     insert into event_runs (definition_id, version_id, scope, started_by)
     select definition_id, id, 'site', ${id} from version returning id
   )
   insert into event_participations (run_id, user_id, rewards)
   select id, ${id}, '[{"kit": "${label} kit", "count": 1}]' from run`,
  `insert into posts (slug, title, auto_excerpt, body, body_html, renderer, folded, status, author_id)
   values ('post-of-user-${id}', 'A post', '', '', '', 1, '', 'draft', ${id})`,
  `with page as (
     insert into wiki_pages (slug, title, body, body_html, toc, renderer, folded, status, updated_by)
     values ('page-of-user-${id}', 'A page', '', '', '[]', 1, '', 'draft', ${id}) returning id)
   insert into wiki_revisions (page_id, revision, title, body, author_id)
   select id, 1, 'A page', '', ${id} from page`,
  `with server as (
     insert into survival_servers (slug, name) values ('server-of-user-${id}', 'x') returning id)
   insert into survival_config_writes (write_id, server_id, plugin, file, created_by, settle_by,
     before_hash, written_hash, request_hash)
   select 'write of user ${id}', id, 'Kits', 'Kits.json', ${id}, now(), '', '', '' from server`,
  `insert into survival_zone_presets (key, name, document, max_duration_sec, updated_by)
   values ('preset-of-user-${id}', 'x', '{}', 60, ${id})`,
  `insert into survival_zone_leases
     (lease_id, server_id, preset_key, preset, at, duration_sec, lease_until, held_until, opened_by)
   select gen_random_uuid(), id, 'x', '{}', '{}', 60, now(), now(), ${id}
   from survival_servers where slug = 'server-of-user-${id}'`,
  `insert into survival_events (server_id, epoch, seq, kind, t, payload, hidden_at, hidden_by)
   select id, 'x', 1, 'player.chat', 0, '{}', now(), ${id}
   from survival_servers where slug = 'server-of-user-${id}'`,
  `insert into settings (name, value, changed_by) values ('setting of user ${id}', 'true', ${id})`,
  `update shardlink set changed_by = ${id}`,
  `update survival_visibility set updated_by = ${id}`,
  `update survival_voice set updated_by = ${id}`,
  `insert into survival_title_texts (stat, updated_by) values ('stat of user ${id}', ${id})`,
  `update survival_permission_groups set updated_by = ${id}`,
  `insert into survival_grants (kind, steam_id, user_id, value, created_by, revoked_by, server_ids)
   values ('permission', '765611980' || lpad(${id}::text, 8, '0'), ${id}, '${label} node', ${id}, ${id}, '{}')`,
  `update chat_bot set updated_by = ${id}`,
  `update survival_faction_table set updated_by = ${id}`,
  `with profile as (
     insert into survival_npc_profiles (key, document, updated_by)
     values ('profile-of-user-${id}', '{}', ${id}) returning id)
   insert into survival_npc_revisions (profile_id, revision, document, origin, updated_by)
   select id, 1, '{}', 'site', ${id} from profile`,
  `with server as (
     insert into survival_servers (slug, name) values ('npcs-of-user-${id}', 'A server')
     returning id)
   insert into survival_npc_placements (server_id, profile_key, name, anchor, x, y, z, rotation,
     count, radius, enabled, on_wipe, updated_by)
   select id, 'boss', 'A place', 'world', 0, 0, 0, 0, 1, 0, true, 'keep', ${id} from server`,
  `insert into activity_log (actor_id, action, target_type, target_id, address, detail)
   values (${id}, 'shard.kick', 'account', '${label} victim', '${label} address',
     '{"reason": "${label} victim"}')`,
  `insert into activity_log (action, target_type, target_id, address, detail)
   values ('user.email_changed', 'user', '${id}', '${label} victim', '{"note": "${label} changed"}')`,
];

export async function plantUser(
  userId: number,
  label: string,
  sequelize: Sequelize,
): Promise<void> {
  for (const sql of rowsOf(label, userId)) await sequelize.query(sql);
}

/**
 * What the games told of the accounts of a user whose rows are planted: `label` stands in each text,
 * and `victim` where it is of somebody else.
 */
const playsOf = (label: string, id: number, steamId: string): readonly string[] => [
  `with server as (
     insert into survival_servers (slug, name) values ('plays-of-user-${id}', '${label} server')
     returning id), seen as (
     insert into survival_sightings (server_id, steam_id, name)
     select id, '${steamId}', '${label} sighting' from server), present as (
     insert into survival_presence (server_id, steam_id, name, connected_at)
     select id, '${steamId}', '${label} presence', now() from server), wipe as (
     insert into survival_wipes (server_id, save_id, started_at) select id, 1, now() from server
     returning id), tally as (
     insert into survival_tallies (wipe_id, steam_id, name)
     select id, '${steamId}', '${label} tally' from wipe), score as (
     insert into survival_scores (wipe_id, stat, steam_id, value)
     select id, 'playersKilled', '${steamId}', 12 from wipe), kill as (
     insert into survival_npc_kills (wipe_id, profile_key, steam_id, kills, last_at)
     select id, '${label} boss', '${steamId}', 3, now() from wipe), clan as (
     insert into survival_clans (server_id, clan_id, created, name, first_seen_at, last_seen_at)
     select id, '1', '1', '${label} clan', now(), now() from server returning id)
   insert into survival_clan_members (clan_row_id, steam_id, name, role_name, joined_at)
   select id, '${steamId}', '${label} member', '${label} role', now() from clan
   union all select id, '76561198999999999', '${label} victim', null, null from clan`,
  `insert into survival_participations (server_id, method, duration_sec, lease_until, members)
   select id, 'damage', 60, now(), jsonb_build_array(
     jsonb_build_object('steamId', '${steamId}', 'name', '${label} fighter', 'firstAt', 1764542400000,
       'lastAt', 1764542460000, 'score', 12.5),
     jsonb_build_object('steamId', '76561198999999999', 'name', '${label} victim',
       'firstAt', 1, 'lastAt', 2, 'score', 1))
   from survival_servers where slug = 'plays-of-user-${id}'`,
  `insert into survival_entitlements (server_id, steam_id, kit, uses, dedupe_key)
   select id, '${steamId}', '${label} kit of the game', 1, 'plays of user ${id}'
   from survival_servers where slug = 'plays-of-user-${id}'`,
  `insert into survival_events (server_id, epoch, seq, kind, t, payload)
   select id, 'x', 1, 'player.chat', 1764542400000,
     '{"steamId": "${steamId}", "name": "x", "channel": "global", "message": "${label} words"}'::jsonb
   from survival_servers where slug = 'plays-of-user-${id}'
   union all select id, 'x', 2, 'player.chat', 1764542400000,
     '{"steamId": "76561198999999999", "name": "x", "message": "${label} victim"}'
   from survival_servers where slug = 'plays-of-user-${id}'`,
  `insert into survival_grants (kind, steam_id, value, server_ids)
   values ('membership', '${steamId}', '${label} group', '{}')`,
  `insert into online_characters (serial, name, account_key, map, x, y, z)
   values ('0x${id.toString(16).padStart(8, "0")}', '${label} character', '${label} account',
     'Felucca', 1, 2, 3)`,
  `insert into governors (city, state, t)
   values ('${label} city', '{"governor": {"acct": "${label} ACCOUNT"}}', 0)`,
  `insert into guilds (guild_id, state, t) values (${id},
     '{"name": "${label} guild", "abbr": "X", "leader": {"acct": "${label} account"}}', 0)`,
];

/** @returns the Steam account of a user whose rows are planted */
export async function plantPlays(
  userId: number,
  label: string,
  sequelize: Sequelize,
): Promise<string> {
  const steamId = `765611980${String(userId).padStart(8, "0")}`;
  for (const sql of playsOf(label, userId, steamId)) await sequelize.query(sql);
  return steamId;
}
