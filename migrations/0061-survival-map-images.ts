import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- Pictures of worlds. A row never changes: another picture has another hash.
    create table survival_map_images (
      server_id integer not null references survival_servers on delete cascade,
      -- sha256 of the bytes.
      hash text not null,
      -- The newest world that the picture shows.
      wipe_id integer not null references survival_wipes on delete cascade,
      mime text not null,
      bytes bytea not null,
      width integer not null,
      height integer not null,
      ocean_margin integer not null,
      background text,
      world_size integer not null,
      stored_at timestamptz not null default clock_timestamp(),
      primary key (server_id, hash)
    );
    create index survival_map_images_wipe on survival_map_images (wipe_id);
    alter table survival_map_images alter bytes set storage external;

    -- The thing that an import is about, if a kind of import has one run per thing.
    alter table import_runs add subject integer;
    drop index import_runs_live;
    create unique index import_runs_live on import_runs (kind, coalesce(subject, 0))
      where finished_at is null;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    delete from import_runs where subject is not null;
    drop index import_runs_live;
    create unique index import_runs_live on import_runs (kind) where finished_at is null;
    alter table import_runs drop subject;
    update survival_wipes set map_hash = null;
    drop table survival_map_images`);
}
