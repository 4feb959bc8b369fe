import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table survival_zone_presets (
      id integer generated always as identity primary key,
      key text not null unique,
      name text not null,
      -- The properties of a zone, in the game's form.
      document jsonb not null,
      max_duration_sec integer not null,
      color text,
      -- Null means every server.
      server_ids integer[],
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      updated_by integer references users on delete set null
    );
    create index survival_zone_presets_updated_by on survival_zone_presets (updated_by);

    -- Zones in the worlds, open and past.
    create table survival_zone_leases (
      lease_id uuid primary key,
      server_id integer not null references survival_servers on delete cascade,
      preset_key text not null,
      -- The preset as it was when the zone was opened.
      preset jsonb not null,
      at jsonb not null,
      duration_sec integer not null,
      state text not null default 'opening' check (state in
        ('opening', 'open', 'closing', 'closed', 'expired', 'failed')),
      opened_at timestamptz not null default clock_timestamp(),
      lease_until timestamptz not null,
      -- The game closes the zone then, unless the lease is renewed.
      held_until timestamptz not null,
      ended_at timestamptz,
      reason text,
      run_id integer,
      step_id integer,
      -- The key of the step that opens the zone, so that its attempts open one zone.
      step_key text unique,
      opened_by integer references users on delete set null
    );
    create index survival_zone_leases_live on survival_zone_leases (server_id)
      where state in ('opening', 'open', 'closing');
    create index survival_zone_leases_opened_by on survival_zone_leases (opened_by);
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop table survival_zone_leases, survival_zone_presets");
}
