import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await createTrigrams(queries);
  await queries.sequelize.query(`
    create table posts (
      id integer generated always as identity primary key,
      slug text not null unique,
      title text not null,
      excerpt text,
      auto_excerpt text not null,
      body text not null,
      body_html text not null,
      renderer smallint not null,
      image_url text,
      tags text[] not null default '{}',
      folded text not null,
      status text not null check (status in ('draft', 'published')),
      pinned boolean not null default false,
      author_id integer not null,
      published_at timestamptz,
      announced_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      revision integer not null default 1,
      check (status = 'draft' or published_at is not null)
    );
    create index posts_published on posts (pinned desc, published_at desc, id desc)
      where status = 'published';
    create index posts_unannounced on posts (published_at)
      where status = 'published' and announced_at is null;

    create table wiki_categories (
      id integer generated always as identity primary key,
      slug text not null unique,
      name text not null
    );

    create table wiki_pages (
      id integer generated always as identity primary key,
      slug text not null unique,
      title text not null,
      category_id integer references wiki_categories on delete set null,
      tags text[] not null default '{}',
      body text not null,
      body_html text not null,
      toc jsonb not null,
      renderer smallint not null,
      folded text not null,
      status text not null check (status in ('draft', 'published')),
      revision integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      updated_by integer not null
    );
    create index wiki_pages_title on wiki_pages (title);
    create index wiki_pages_category on wiki_pages (category_id);

    create table wiki_revisions (
      page_id integer not null references wiki_pages on delete cascade,
      revision integer not null,
      title text not null,
      body text not null,
      author_id integer not null,
      note text,
      created_at timestamptz not null default now(),
      primary key (page_id, revision)
    );

    create table wiki_redirects (
      slug text primary key,
      page_id integer not null references wiki_pages on delete cascade,
      created_at timestamptz not null default now()
    );
    create index wiki_redirects_page on wiki_redirects (page_id);

    create table pages (
      id integer generated always as identity primary key,
      slug text not null unique,
      title text not null,
      body text not null,
      body_html text not null,
      renderer smallint not null,
      nav_order integer check (nav_order between 0 and 9999),
      audience text not null check (audience in ('anonymous', 'logged_in', 'staff')),
      status text not null check (status in ('draft', 'published')),
      revision integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    create table search_entries (
      type text not null check (type in ('post', 'wiki', 'page')),
      ref_id integer not null,
      slug text not null,
      title text not null,
      text text not null,
      heading tsvector not null,
      words tsvector not null,
      audience text not null check (audience in ('anonymous', 'logged_in', 'staff')),
      visible_from timestamptz not null,
      primary key (type, ref_id)
    );
    create index search_entries_words on search_entries using gin (words);

    create table search_words (
      word text primary key,
      latin text not null
    );
    create index search_words_latin on search_words using gin (latin gin_trgm_ops);
  `);
}

/** Keeps the extension: it may be older than this migration or used by another program. */
export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop table search_words, search_entries, pages, wiki_redirects, wiki_revisions, wiki_pages,
      wiki_categories, posts
  `);
}

/** @throws an error with instructions for the operator if the host lacks or forbids the extension */
async function createTrigrams(queries: QueryInterface): Promise<void> {
  try {
    await queries.sequelize.query("create extension if not exists pg_trgm");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      "The search needs PostgreSQL's extension pg_trgm, which this database refuses " +
        `(${reason}). Have its administrator run "create extension pg_trgm" in this database, ` +
        "install postgresql-contrib where the server lacks it, or choose a host that allows it.",
      { cause },
    );
  }
}
