import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- The attempt that holds a run: a paused and replaced attempt may no longer finish it.
    alter table import_runs add column attempt integer not null default 0;

    -- The last applied source of each import.
    create table imported_sources (
      kind text primary key,
      fingerprint text not null,
      loaded jsonb not null,
      imported_at timestamptz not null default clock_timestamp()
    );

    -- Rows are loaded under a new generation; readers use the generation in this table.
    create table atlas_state (
      id smallint primary key default 1 check (id = 1),
      generation integer not null default 0,
      pending_status text check (pending_status in ('pending', 'rejected')),
      pending_fingerprint text,
      pending jsonb
    );
    insert into atlas_state default values;
    create sequence atlas_generations as integer;

    create table atlas_facets (
      generation integer not null,
      name text not null,
      regions integer not null,
      rects integer not null,
      spawners integer not null,
      entries integer not null,
      total bigint not null,
      primary key (generation, name)
    );

    create table atlas_regions (
      generation integer not null,
      id integer not null,
      key text not null,
      facet text not null,
      name text,
      type text,
      parent text,
      level integer not null,
      priority integer not null,
      go jsonb,
      entrance jsonb,
      music text,
      rune text,
      guarded boolean not null,
      housing boolean not null,
      logout_delay boolean not null,
      min_expansion text,
      max_expansion text,
      area double precision not null,
      primary key (generation, id)
    );
    create index atlas_regions_facet on atlas_regions (generation, facet, name);

    create table atlas_rects (
      generation integer not null,
      region_id integer not null,
      x1 integer not null,
      y1 integer not null,
      z1 integer not null,
      x2 integer not null,
      y2 integer not null,
      z2 integer not null
    );
    create index atlas_rects_region on atlas_rects (generation, region_id);

    create table atlas_spawners (
      generation integer not null,
      id integer not null,
      key text not null,
      facet text not null,
      name text,
      x integer not null,
      y integer not null,
      z integer not null,
      rect jsonb,
      home_range integer not null,
      walk_range integer not null,
      count integer not null,
      min_delay_sec double precision not null,
      max_delay_sec double precision not null,
      running boolean not null,
      region text,
      source text not null,
      primary key (generation, id)
    );
    create index atlas_spawners_place on atlas_spawners (generation, facet, x, y);

    create table atlas_entries (
      generation integer not null,
      spawner_id integer not null,
      place integer not null,
      type text not null,
      type_key text not null,
      max integer not null,
      probability double precision,
      args text,
      min_delay_sec double precision,
      max_delay_sec double precision,
      primary key (generation, spawner_id, place)
    );
    create index atlas_entries_type on atlas_entries (generation, type_key);

    create table atlas_creatures (
      generation integer not null,
      type_key text not null,
      type text not null,
      spawners integer not null,
      total bigint not null,
      facets text[] not null,
      status text,
      body integer,
      primary key (generation, type_key)
    );
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop table atlas_creatures, atlas_entries, atlas_spawners, atlas_rects, atlas_regions,
      atlas_facets, atlas_state, imported_sources;
    drop sequence atlas_generations;
    alter table import_runs drop column attempt;
  `);
}
