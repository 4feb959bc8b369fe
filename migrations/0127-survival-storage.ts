import type { QueryInterface } from "sequelize";

/** A table whose rows are counted per server. */
interface Counted {
  readonly table: string;
  readonly part: string;
  /** SQL that joins the server's id to the rows of the relation `changed`. */
  readonly join?: string;
}

const byWorld = "join survival_wipes owner on owner.id = changed.wipe_id";

const counted: readonly Counted[] = [
  { table: "survival_wipes", part: "worlds" },
  { table: "survival_sightings", part: "sightings" },
  { table: "survival_presence", part: "presence" },
  { table: "survival_tallies", part: "tallies", join: byWorld },
  { table: "survival_npc_kills", part: "npcKills", join: byWorld },
  { table: "survival_clans", part: "clans" },
  {
    table: "survival_clan_members",
    part: "clanMembers",
    join: "join survival_clans owner on owner.id = changed.clan_row_id",
  },
  { table: "survival_link_codes", part: "linkCodes" },
];

/** Counts the stored rows of each survival server by triggers, also for cascades and the previous release. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- The stored rows of a server by the parts of survival-bounds.ts, and how many were dropped. No
    -- foreign key, because triggers write these rows while a server is deleted.
    create table survival_storage (
      server_id integer not null,
      part text not null,
      kept bigint not null default 0,
      left_out bigint not null default 0,
      left_out_at timestamptz,
      -- When the activity log last reported that the part is full.
      told_at timestamptz,
      primary key (server_id, part)
    );

    -- The same for parts with a limit per UTC day.
    create table survival_storage_days (
      server_id integer not null,
      part text not null,
      day date not null,
      kept bigint not null,
      primary key (server_id, part, day)
    );

    lock table ${counted.map(({ table }) => table).join(", ")} in share row exclusive mode;
    ${counted.map(following).join("\n")}
  `);
}

function following({ table, part, join = "" }: Counted): string {
  const perServer = (relation: string): string => `
    select ${join === "" ? "changed" : "owner"}.server_id, count(*) as count
    from ${relation} changed ${join} group by 1`;
  const name = `count_${table}`;
  return `
    insert into survival_storage (server_id, part, kept)
    select server_id, '${part}', count from (${perServer(table)}) there;

    create function ${name}() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into survival_storage as known (server_id, part, kept)
        select server_id, '${part}', count from (${perServer("came")}) added order by server_id
        on conflict (server_id, part) do update set kept = known.kept + excluded.kept;
      else
        update survival_storage known set kept = greatest(0, known.kept - removed.count)
        from (${perServer("went")}) removed
        where known.server_id = removed.server_id and known.part = '${part}';
      end if;
      return null;
    end $$;
    create trigger storage_inserted after insert on ${table} referencing new table as came
      for each statement execute function ${name}();
    create trigger storage_deleted after delete on ${table} referencing old table as went
      for each statement execute function ${name}();`;
}

export async function down(queries: QueryInterface): Promise<void> {
  const tables = counted.map(({ table }) => table);
  await queries.sequelize.query(`
    ${tables
      .map(
        (table) => `
    drop trigger storage_inserted on ${table};
    drop trigger storage_deleted on ${table};
    drop function count_${table}();`,
      )
      .join("")}
    drop table survival_storage_days, survival_storage;
  `);
}
