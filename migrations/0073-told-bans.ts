import type { QueryInterface } from "sequelize";

/** Stores when the shard's stream reported a ban, so that one report is not matched with two bans of the site. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table punishments add told_at timestamptz;
    -- Bans that already stand count as reported.
    update punishments set told_at = confirmed_at where confirmed_at is not null;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table punishments drop told_at");
}
