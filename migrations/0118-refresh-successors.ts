import type { QueryInterface } from "sequelize";

/**
 * A used refresh token keeps its successor for a few seconds, for a client that lost the answer. The
 * text is encrypted under a key that comes of the used token, of which the table has a hash alone.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table mobile_sessions add column successor_sealed text;
    -- Few rows have one at a time: those used within the last minute.
    create index mobile_sessions_successors on mobile_sessions (consumed_at)
      where successor_sealed is not null;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop index mobile_sessions_successors;
    alter table mobile_sessions drop column successor_sealed;
  `);
}
