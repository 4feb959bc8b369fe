import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- When the schedule of wipes was written; an older release leaves it as it was.
    alter table survival_servers add column wipe_set_at timestamptz not null default now();
    update survival_servers set wipe_set_at = updated_at;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table survival_servers drop column wipe_set_at");
}
