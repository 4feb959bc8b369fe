import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table job_progress (
      job_id uuid primary key,
      queue text not null,
      phase text not null,
      done bigint not null,
      total bigint,
      started_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp()
    );

    create table import_runs (
      job_id uuid primary key,
      kind text not null,
      flags jsonb not null,
      asked_by integer references users on delete set null,
      asked_at timestamptz not null default clock_timestamp(),
      result jsonb,
      finished_at timestamptz
    );
    create unique index import_runs_live on import_runs (kind) where finished_at is null;
    create index import_runs_kind on import_runs (kind, asked_at desc);
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop table import_runs, job_progress");
}
