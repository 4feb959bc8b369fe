import type { QueryInterface } from "sequelize";

/**
 * Stores the events that phases of runs may wait for, numbered by each source, and the last number that each
 * run has read. Runs that already wait receive only later events.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table event_news_sources (
      source text primary key,
      last bigint not null
    );
    create table event_news (
      source text not null,
      number bigint not null,
      trigger text not null,
      event_key text not null,
      -- The time of the event, in epoch milliseconds.
      t bigint not null,
      variables jsonb not null,
      stored_at timestamptz not null default clock_timestamp(),
      primary key (source, number)
    );
    create index event_news_trigger on event_news (trigger, source, number);
    create index event_news_age on event_news (stored_at);
    alter table event_runs
      add column heard jsonb not null default '{}',
      alter column heard_to drop not null;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    update event_runs set heard_to = 0 where heard_to is null;
    alter table event_runs drop column heard, alter column heard_to set not null;
    drop table event_news, event_news_sources;
  `);
}
