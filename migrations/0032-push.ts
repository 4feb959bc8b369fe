import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table push_devices (
      id integer generated always as identity primary key,
      user_id integer not null references users on delete cascade,
      endpoint text not null,
      origin text not null,
      p256dh text not null,
      auth text not null,
      device_name text,
      created_at timestamptz not null default now(),
      last_success_at timestamptz,
      last_error text,
      failing_since timestamptz,
      -- The device waits until then, because its relay set a time for the next request.
      held_until timestamptz,
      unique (user_id, endpoint)
    );

    create table push_subscriptions (
      user_id integer not null references users on delete cascade,
      stream text not null,
      primary key (user_id, stream)
    );
    create index push_subscriptions_stream on push_subscriptions (stream);

    create table pushes (
      id bigint generated always as identity primary key,
      stream text not null,
      ref text not null,
      -- Dedupe key within a stream.
      event_key text not null,
      -- The recipient of a personal message.
      user_id integer references users on delete cascade,
      created_at timestamptz not null default clock_timestamp(),
      expires_at timestamptz not null,
      -- Deliveries exist for the devices up to this one.
      device_cursor integer not null default 0,
      dispatched_at timestamptz,
      unique (stream, event_key)
    );
    create index pushes_created on pushes (created_at);
    create index pushes_user on pushes (user_id) where user_id is not null;
    create index pushes_waiting on pushes (created_at) where dispatched_at is null;

    create table push_deliveries (
      push_id bigint not null references pushes on delete cascade,
      device_id integer not null references push_devices on delete cascade,
      origin text not null,
      state text not null default 'waiting',
      attempts integer not null default 0,
      -- The deliveries that were started together share it.
      claim uuid,
      next_at timestamptz not null default clock_timestamp(),
      primary key (push_id, device_id)
    );
    create index push_deliveries_due on push_deliveries (origin, next_at) where state = 'waiting';
    create index push_deliveries_device on push_deliveries (device_id);
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "drop table push_deliveries, pushes, push_subscriptions, push_devices",
  );
}
