import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- The shard event that a push reports.
    alter table pushes add column shard_event_id bigint;

    create table webhooks (
      id integer generated always as identity primary key,
      format text not null,
      -- The address without its secret parts.
      shown_url text not null,
      url_sealed text not null,
      origin text not null,
      streams text[] not null,
      enabled boolean not null default true,
      secret_sealed text,
      -- The former secret also signs for a day after a change.
      former_secret_sealed text,
      former_secret_until timestamptz,
      created_at timestamptz not null default now(),
      last_success_at timestamptz,
      last_error text,
      failing_since timestamptz,
      disabled_reason text,
      -- The receiver asked for no requests until then.
      held_until timestamptz
    );

    create table webhook_deliveries (
      id bigint generated always as identity primary key,
      webhook_id integer not null references webhooks on delete cascade,
      -- Null for a test of the webhook.
      push_id bigint references pushes on delete cascade,
      message_id uuid not null default gen_random_uuid(),
      stream text not null,
      data jsonb not null,
      happened_at timestamptz not null,
      state text not null default 'waiting',
      attempts integer not null default 0,
      -- Attempts since the delivery was first sent, or sent again.
      tries integer not null default 0,
      give_up_at timestamptz not null,
      next_at timestamptz not null default clock_timestamp(),
      code integer,
      error text,
      answer text,
      created_at timestamptz not null default clock_timestamp(),
      delivered_at timestamptz,
      unique (message_id),
      unique (webhook_id, push_id)
    );
    create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_at)
      where state in ('waiting', 'trying');
    create index webhook_deliveries_listed on webhook_deliveries (webhook_id, id desc);
    create index webhook_deliveries_push on webhook_deliveries (push_id);
    create index webhook_deliveries_created on webhook_deliveries (created_at);
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop table webhook_deliveries, webhooks;
    alter table pushes drop column shard_event_id`);
}
