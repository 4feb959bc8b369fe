import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- Pictures by the sha256 of their bytes: what several keys show is held once.
    create table asset_images (
      hash text collate "C" primary key,
      mime text not null,
      bytes bytea not null
    );
    -- They are compressed already.
    alter table asset_images alter column bytes set storage external;

    -- The catalogue as it was last applied, and what the market needs beyond it.
    create table assets (
      key text collate "C" primary key,
      family text not null,
      sha256 text collate "C" not null,
      -- The picture, once it is held.
      image text collate "C" references asset_images,
      in_catalogue boolean not null
    );
    create index assets_image on assets (image);

    -- What the shard answered for an item's picture, under which of its catalogues.
    create table item_art (
      key text collate "C" primary key,
      catalog text not null,
      outcome text not null check (outcome in ('held', 'absent', 'unsupported')),
      asked_at timestamptz not null default clock_timestamp()
    );

    -- An operator's choice stands beside what is derived, so that no import overwrites it.
    create table creature_art (
      type_key text primary key,
      derived_key text collate "C",
      operator_key text collate "C"
    );

    -- An import builds here, each attempt under a number of its own; a crash may empty these.
    create sequence asset_stages as integer;
    create unlogged table asset_stage (
      stage integer not null,
      key text collate "C" not null,
      sha256 text collate "C" not null,
      wanted boolean not null default false,
      primary key (stage, key)
    );
    create unlogged table creature_stage (
      stage integer not null,
      type_key text not null,
      status text not null,
      body integer,
      primary key (stage, type_key)
    );
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop table creature_stage, asset_stage, creature_art, item_art, assets, asset_images;
    drop sequence asset_stages;
  `);
}
