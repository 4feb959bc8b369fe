import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table event_runs add column phase_paused_ms bigint not null default 0;
    alter table event_steps
      add column has_waited boolean not null default false,
      add column max_attempts integer not null default 5;
    create index event_runs_gate_due on event_runs (gate_due_at) where status = 'running';
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop index event_runs_gate_due;
    alter table event_steps drop column has_waited, drop column max_attempts;
    alter table event_runs drop column phase_paused_ms;
  `);
}
