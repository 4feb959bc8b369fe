const body = "repeat('The way to the bank of Britain leads along the river. ', 15)";

/** Statements that insert the users, texts and events of an old site. */
export const siteRows: readonly string[] = [
  `insert into users (username, username_key, role)
   select 'person-' || n, 'person-' || n, 'player' from generate_series(1, 5000) n`,
  `insert into posts (slug, title, auto_excerpt, body, body_html, renderer, tags, folded, status,
     author_id, published_at)
   select 'post-' || n, 'Post ' || n, 'A text', ${body}, ${body}, 1, array['tag-' || n % 50],
     'post ' || n, 'published', 1 + n % 5000, now() - n * interval '1 hour'
   from generate_series(1, 5000) n`,
  `insert into wiki_categories (id, slug, name) overriding system value
   select n, 'category-' || n, 'Category ' || n from generate_series(1, 100) n`,
  `insert into wiki_pages (slug, title, category_id, tags, body, body_html, toc, renderer, folded,
     status, updated_by)
   select 'page-' || n, 'Page ' || n, 1 + n % 100, array['tag-' || n % 200], ${body}, ${body}, '[]',
     1, 'page ' || n, 'published', 1 + n % 5000 from generate_series(1, 20000) n`,
  `insert into pages (slug, title, body, body_html, renderer, nav_order, audience, status)
   select 'about-' || n, 'About ' || n, ${body}, ${body}, 1, n, 'anonymous', 'published'
   from generate_series(1, 50) n`,
  `insert into search_entries (type, ref_id, slug, title, text, heading, words, audience, visible_from)
   select type, id, slug, title, body, setweight(to_tsvector('simple', folded), 'A'),
     setweight(to_tsvector('simple', folded), 'A') || to_tsvector('simple', body), 'anonymous', now()
   from (select 'post' as type, id, slug, title, folded, body from posts
     union all select 'wiki', id, slug, title, folded, body from wiki_pages) texts`,
  `insert into search_words (word, latin)
   select word, word from ts_stat('select words from search_entries') where length(word) > 2`,
  `insert into search_words (word, latin)
   select md5(n::text), md5(n::text) from generate_series(1, 50000) n`,
  `insert into event_series (id, name, slug, ordering) overriding system value
   values (1, 'A series', 'a-series', 1)`,
  `insert into event_definitions (id, slug, title, spec, state, series_id) overriding system value
   select n, 'event-' || n, 'Event ' || n, '{}', 'ready', 1 from generate_series(1, 1000) n`,
  `insert into event_versions (id, definition_id, number, title, summary, body, timezone,
     grace_seconds, spec, spec_sha256) overriding system value
   select id, id, 1, title, '', '', 'UTC', 60,
     jsonb_build_object('listed', true, 'schedule', jsonb_build_object('kind', 'manual')), ''
   from event_definitions`,
  "update event_definitions set current_version_id = id",
  `insert into event_runs (definition_id, version_id, scope, status, scheduled_for, started_at, ended_at)
   select 1 + n % 1000, 1 + n % 1000, 'shard', 'completed', now() - n * interval '1 hour',
     now() - n * interval '1 hour', now() - n * interval '1 hour' from generate_series(1, 50000) n`,
];
