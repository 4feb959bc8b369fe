import type { QueryInterface } from "sequelize";

/**
 * Stores when data of a game or Steam account last changed, so that an answer requested before the change is
 * ignored. The table holds a hash and not the name of the account.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table account_changes (
      subject bigint primary key,
      changed_at timestamptz not null default clock_timestamp()
    );

    create function account_subject(sort text, account text) returns bigint
      language sql immutable as $$ select hashtextextended(sort || ' ' || account, 0) $$;

    create function note_account_changes() returns trigger language plpgsql as $$
    begin
      insert into account_changes (subject)
      select distinct account_subject(tg_argv[0], to_jsonb(changed) ->> tg_argv[1]) as subject
      from changed order by subject
      on conflict (subject) do update set changed_at = clock_timestamp();
      return null;
    end $$;

    ${triggersOf("shard_links", "'game account', 'account_key'")}
    ${triggersOf("steam_links", "'steam account', 'steam_id'")}
  `);
}

const triggersOf = (table: string, given: string): string => `
    create trigger note_inserted after insert on ${table} referencing new table as changed
      for each statement execute function note_account_changes(${given});
    create trigger note_updated after update on ${table} referencing new table as changed
      for each statement execute function note_account_changes(${given});
    create trigger note_deleted after delete on ${table} referencing old table as changed
      for each statement execute function note_account_changes(${given});`;

export async function down(queries: QueryInterface): Promise<void> {
  const triggers = ["shard_links", "steam_links"].flatMap((table) =>
    ["inserted", "updated", "deleted"].map((what) => `drop trigger note_${what} on ${table};`),
  );
  await queries.sequelize.query(`
    ${triggers.join("\n    ")}
    drop function note_account_changes();
    drop function account_subject(text, text);
    drop table account_changes;
  `);
}
