import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- When the wipe schedule was last written; an older release does not update it.
    alter table survival_servers add column wipe_set_at timestamptz not null default now();
    update survival_servers set wipe_set_at = updated_at;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table survival_servers drop column wipe_set_at");
}
