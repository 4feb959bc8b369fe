import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table survival_visibility (
      id smallint primary key default 1 check (id = 1),
      -- The keys that an administrator has set; all others follow the default.
      override jsonb not null default '{}',
      updated_at timestamptz,
      updated_by integer references users on delete set null
    );
    insert into survival_visibility default values;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop table survival_visibility");
}
