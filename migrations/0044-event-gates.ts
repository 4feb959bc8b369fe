import type { QueryInterface } from "sequelize";

/**
 * Stores for each run the trigger that its phase waits for, so that ingest finds waiting runs, and the last
 * event that the run has received. Runs that already wait receive only later events.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table event_runs
      add column listens_for text,
      add column heard_to bigint not null default 0;
    update event_runs run set
      listens_for = phase -> 'advance' ->> 'trigger',
      heard_to = (select coalesce(max(id), 0) from shard_events)
    from event_versions version, jsonb_array_elements(version.spec -> 'phases') phase
    where version.id = run.version_id and run.status in ('running', 'paused')
      and phase ->> 'key' = run.current_phase and phase -> 'advance' ->> 'kind' = 'trigger';
    create index event_runs_listening on event_runs (listens_for) where listens_for is not null;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop index event_runs_listening;
    alter table event_runs drop column listens_for, drop column heard_to;
  `);
}
