import type { QueryInterface } from "sequelize";

/**
 * Validates the constraint without blocking writers, so that the next migration need not scan the table under a
 * lock.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "alter table shard_events validate constraint shard_events_first_part",
  );
}

export async function down(): Promise<void> {
  // Nothing to do: reverting the previous migration drops the constraint.
}
