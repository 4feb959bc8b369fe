import type { QueryInterface } from "sequelize";

/** Reads the whole table, beside its writers: what comes next need not, while they wait. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "alter table shard_events validate constraint shard_events_first_part",
  );
}

export async function down(): Promise<void> {
  // The one before takes the constraint away.
}
