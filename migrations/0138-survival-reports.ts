import type { QueryInterface } from "sequelize";

/** Creates the tables of reports that players of survival servers send, and of the keys for the game's form. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table survival_report_keys (
      server_id integer primary key references survival_servers on delete cascade,
      digest bytea not null unique,
      created_at timestamptz not null default now(),
      created_by integer references users on delete set null,
      last_used_at timestamptz
    );
    create index survival_report_keys_creator on survival_report_keys (created_by);

    create table survival_reports (
      id bigint generated always as identity primary key,
      server_id integer not null references survival_servers on delete cascade,
      via text not null check (via in ('form', 'link')),
      reporter_steam_id text collate "C" not null,
      reporter_name text not null,
      target_steam_id text collate "C",
      target_name text,
      type text,
      subject text not null,
      message text not null,
      reported_at timestamptz not null,
      created_at timestamptz not null default clock_timestamp(),
      seen_at timestamptz,
      seen_by integer references users on delete set null,
      closed_at timestamptz,
      closed_by integer references users on delete set null,
      note text,
      -- A closed report has been seen.
      check (closed_at is null or seen_at is not null)
    );
    create index survival_reports_server on survival_reports (server_id, id);
    create index survival_reports_reporter on survival_reports (reporter_steam_id, reported_at);
    create index survival_reports_target on survival_reports (target_steam_id, id)
      where target_steam_id is not null;
    create index survival_reports_created on survival_reports (created_at);
    create index survival_reports_waiting on survival_reports (id) where closed_at is null;
    create index survival_reports_seen_by on survival_reports (seen_by);
    create index survival_reports_closed_by on survival_reports (closed_by);
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop table survival_reports, survival_report_keys");
}
