import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table chat_bot (
      id smallint primary key default 1 check (id = 1),
      enabled boolean not null default false,
      guild_id text,
      announce_channel_id text,
      token_sealed text,
      -- Null until the first configuration.
      updated_at timestamptz,
      updated_by integer references users on delete set null
    );
    create index chat_bot_updated_by on chat_bot (updated_by);
    insert into chat_bot default values;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop table chat_bot");
}
