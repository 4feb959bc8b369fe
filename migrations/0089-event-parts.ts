import type { QueryInterface } from "sequelize";

/**
 * Partitions the event log by id without copying. The stored events become the first partition, with its
 * own unique keys and room for new ids, so that the previous release can still write into it.
 */
export async function up(queries: QueryInterface): Promise<void> {
  const [[found]] = (await queries.sequelize.query(
    `select substring(pg_get_constraintdef(oid) from '[0-9]+') as bound from pg_constraint
     where conname = 'shard_events_first_part'`,
  )) as [{ bound: string }[], unknown];
  const bound = found?.bound ?? "";
  await queries.sequelize.query(`
    lock table shard_events in access exclusive mode;
    create temporary table counted on commit drop as select last_value, is_called from shard_events_id_seq;
    alter table shard_events alter id drop identity;
    alter table shard_events rename to shard_events_0;
    alter index shard_events_pkey rename to shard_events_0_pkey;
    alter index shard_events_kind rename to shard_events_0_kind;
    alter index shard_events_public_kind rename to shard_events_0_public_kind;
    alter index shard_events_sales rename to shard_events_0_sales;
    alter table shard_events_0
      rename constraint shard_events_source_epoch_seq_key to shard_events_0_place;
    alter index shard_events_event_key rename to shard_events_0_key;

    create table shard_events (
      id bigint generated always as identity (sequence name shard_events_id_seq) primary key,
      source text not null,
      epoch text not null,
      seq bigint not null,
      event_key text,
      boot_id text,
      kind text not null,
      t bigint not null,
      payload jsonb not null,
      reach text not null,
      created_at timestamptz not null default clock_timestamp(),
      constraint shard_events_reach_check check (reach in ('public', 'staff', 'none'))
    ) partition by range (id);
    select setval('shard_events_id_seq', last_value, is_called) from counted;
    create index shard_events_kind on shard_events (kind, id desc);
    create index shard_events_public_kind on shard_events (kind, id) where reach = 'public';
    create index shard_events_sales on shard_events (lower(payload ->> 'ownerAcct'), t desc, id desc)
      where kind = 'vendor.sale';
    alter table shard_events attach partition shard_events_0
      for values from (minvalue) to (${bound});
    alter table shard_events_0 drop constraint shard_events_first_part;

    -- The event keys of full partitions, up to the last id of each, for the check of duplicates.
    create table shard_event_keys (
      source text not null,
      event_key text collate "C" not null,
      until_id bigint not null,
      primary key (event_key, source)
    );
    create index shard_event_keys_until on shard_event_keys (until_id);
    create table shard_event_seqs (
      source text not null,
      epoch text not null,
      seqs int8multirange not null,
      until_id bigint not null
    );
    create index shard_event_seqs_epoch on shard_event_seqs (source, epoch);

    create function make_shard_events_unique(part text) returns void language plpgsql as $$
    begin
      execute format('create unique index %I on %I (source, epoch, seq)', part || '_place', part);
      execute format('create unique index %I on %I (source, event_key) where event_key is not null',
        part || '_key', part);
    end $$;
    create function make_shard_events_part(first_id bigint) returns void language plpgsql as $$
    declare part text := 'shard_events_' || first_id;
    begin
      execute format('create table %I (like shard_events including defaults including constraints)', part);
      perform make_shard_events_unique(part);
      execute format('alter table shard_events attach partition %I for values from (%s) to (%s)',
        part, first_id, first_id + 1000000);
    end $$;
    create function make_shard_events_rest() returns void language plpgsql as $$
    begin
      create table shard_events_rest partition of shard_events default;
      perform make_shard_events_unique('shard_events_rest');
    end $$;
    select make_shard_events_part(${bound} + place * 1000000) from generate_series(0, 2) place;
    select make_shard_events_rest();
  `);
}

/** Copies every event back into one table. */
export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    lock table shard_events in access exclusive mode;
    create temporary table counted on commit drop as select last_value, is_called from shard_events_id_seq;
    alter table shard_events rename to shard_events_parts;
    alter sequence shard_events_id_seq rename to shard_events_parts_id_seq;
    create table shard_events (
      id bigint generated always as identity (sequence name shard_events_id_seq),
      source text not null,
      epoch text not null,
      seq bigint not null,
      event_key text,
      boot_id text,
      kind text not null,
      t bigint not null,
      payload jsonb not null,
      reach text not null constraint shard_events_reach_check check (reach in ('public', 'staff', 'none')),
      created_at timestamptz not null default clock_timestamp()
    );
    insert into shard_events overriding system value select * from shard_events_parts;
    drop table shard_events_parts, shard_event_keys, shard_event_seqs;
    drop function make_shard_events_part, make_shard_events_rest, make_shard_events_unique;
    select setval('shard_events_id_seq', last_value, is_called) from counted;
    alter table shard_events add primary key (id), add unique (source, epoch, seq);
    create unique index shard_events_event_key on shard_events (source, event_key)
      where event_key is not null;
    create index shard_events_kind on shard_events (kind, id desc);
    create index shard_events_public_kind on shard_events (kind, id) where reach = 'public';
    create index shard_events_sales on shard_events (lower(payload ->> 'ownerAcct'), t desc, id desc)
      where kind = 'vendor.sale';
    do $$ begin
      execute format('alter table shard_events add constraint shard_events_first_part check (id < %s)',
        (select (last_value / 1000000 + 2) * 1000000 from shard_events_id_seq));
    end $$;
  `);
}
