import type { QueryInterface } from "sequelize";

/**
 * Stores the successor of a used refresh token for a few seconds, for a client that lost the answer. The
 * successor is encrypted with a key derived from the used token, of which the table holds only a hash.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table mobile_sessions add column successor_sealed text;
    -- Few rows at a time have a successor: those used within the last minute.
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
