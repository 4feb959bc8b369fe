import type { QueryInterface } from "sequelize";

/** Bounds the first partition of the event log by a constraint, one to two million ids above the last id. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    do $$ begin
      execute format('alter table shard_events add constraint shard_events_first_part check (id < %s) not valid',
        (select (last_value / 1000000 + 2) * 1000000 from shard_events_id_seq));
    end $$
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "alter table shard_events drop constraint if exists shard_events_first_part",
  );
}
