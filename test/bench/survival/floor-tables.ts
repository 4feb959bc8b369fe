/**
 * Statements that create the tables of the minimal ingest: copies of the service's tables, with the same keys and
 * indexes.
 */
export const floorTables = ["survival_events", "survival_scores", "survival_presence"]
  .map((table) => `create table floor_${table} (like ${table} including all);`)
  .concat(
    `create table floor_servers (
       server_id integer primary key, seq bigint not null, status jsonb, map jsonb)`,
  )
  .join("\n");
