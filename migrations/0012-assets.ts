import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- Pictures by the sha256 of their bytes: a picture of several keys is stored once.
    create table asset_images (
      hash text collate "C" primary key,
      mime text not null,
      bytes bytea not null
    );
    -- Pictures are already compressed.
    alter table asset_images alter column bytes set storage external;

    -- The last applied catalogue, and further keys that the market needs.
    create table assets (
      key text collate "C" primary key,
      family text not null,
      sha256 text collate "C" not null,
      -- Null until the picture is stored.
      image text collate "C" references asset_images,
      in_catalogue boolean not null
    );
    create index assets_image on assets (image);

    -- The shard's answer for the picture of an item, and the catalogue version that it used.
    create table item_art (
      key text collate "C" primary key,
      catalog text not null,
      outcome text not null check (outcome in ('held', 'absent', 'unsupported')),
      asked_at timestamptz not null default clock_timestamp()
    );

    -- An operator's choice has its own column, so that no import overwrites it.
    create table creature_art (
      type_key text primary key,
      derived_key text collate "C",
      operator_key text collate "C"
    );

    -- Work tables of an import; each attempt has its own number. A crash may empty them.
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
