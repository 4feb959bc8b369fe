import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- The staff's titles for the leaders of a category, on every server.
    create table survival_title_texts (
      stat text primary key,
      -- Null means the default.
      title text,
      updated_at timestamptz not null default clock_timestamp(),
      updated_by integer references users on delete set null
    );

    create table survival_title_rules (
      id integer generated always as identity primary key,
      server_id integer not null references survival_servers on delete cascade,
      position integer not null,
      stat text not null,
      top_n integer not null,
      -- Null means the title of the category.
      text text,
      color text,
      enabled boolean not null default true
    );
    create index survival_title_rules_of_server on survival_title_rules (server_id, position);

    -- The titles that a server received last, and since when it may have lost them.
    create table survival_title_servers (
      server_id integer primary key references survival_servers on delete cascade,
      returned_at timestamptz not null default clock_timestamp(),
      sent_at timestamptz,
      hash text
    );

    create table survival_voice (
      id smallint primary key default 1 check (id = 1),
      -- Null until staff set it; until then servers keep their own.
      voice jsonb,
      updated_at timestamptz,
      updated_by integer references users on delete set null
    );
    insert into survival_voice default values;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "drop table survival_voice, survival_title_servers, survival_title_rules, survival_title_texts",
  );
}
