import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table market_searches (
      id integer generated always as identity primary key,
      user_id integer not null references users on delete cascade,
      name text not null,
      query jsonb not null,
      -- A term that every matching listing contains.
      term text not null,
      enabled boolean not null default true,
      created_at timestamptz not null default now(),
      last_match_at timestamptz,
      last_push_at timestamptz
    );
    create index market_searches_user on market_searches (user_id, id);
    create index market_searches_term on market_searches (term) where enabled;

    -- Listings that are new, repriced or renamed, with their former values, until a job has found
    -- the searches that they match.
    create table listing_news (
      id bigint generated always as identity primary key,
      vendor_serial integer not null,
      serial integer not null,
      former_price integer,
      former_name text,
      owner_key text
    );

    -- The link whose market snapshot was applied last.
    alter table market_meta add column snapshot_of text;
    update market_meta set snapshot_of = (select base_url from shardlink) where vendors > 0;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table market_meta drop column snapshot_of;
    drop table listing_news, market_searches;
  `);
}
