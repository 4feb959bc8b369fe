import type { QueryInterface } from "sequelize";

/** Up to which id the log's first part will reach: a million and more beyond what is there. */
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
