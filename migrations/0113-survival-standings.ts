import type { QueryInterface } from "sequelize";

/** Creates the tables with the ranking of players and the number of ranked players. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- True for figures of staff on a server that excludes staff from its rankings.
    alter table survival_scores add column left_out boolean not null default false;
    alter table survival_npc_kills add column left_out boolean not null default false;

    -- Totals of several worlds: of a server ('s' and its id), of the present worlds ('current') and
    -- of all worlds ('all') of listed servers.
    create table survival_standings (
      scope text collate "C" not null,
      stat text collate "C" not null,
      steam_id text collate "C" not null,
      value bigint not null,
      -- When the total reached this value.
      reached_at timestamptz not null,
      -- When a figure in it was last raised.
      updated_at timestamptz not null,
      primary key (scope, stat, steam_id)
    );
    create index survival_standings_ranked
      on survival_standings (scope, stat, value desc, reached_at, steam_id);

    -- The scopes and stats with stored totals: each changed row of figures updates them.
    create table survival_boards (
      scope text collate "C" not null,
      stat text collate "C" not null,
      primary key (scope, stat)
    );

    -- How many players have a total in each range of values, also for each world ('w' and its id).
    create table survival_standing_counts (
      scope text collate "C" not null,
      stat text collate "C" not null,
      bucket smallint not null,
      players integer not null,
      total bigint not null,
      updated_at timestamptz not null,
      primary key (scope, stat, bucket)
    );

    -- Exact below 32. Above, each bucket is 2 % wide: forty-eight per factor of e.
    create function survival_bucket(value bigint) returns smallint language sql immutable parallel safe
      return (least(value, 32) + floor(48 * ln(greatest(value, 32) / 32::float8)))::smallint;

    create function survival_takes_furthest(stat text) returns boolean language sql immutable parallel safe
      return stat in ('pvpKillDistance', 'pveKillDistance');

    -- Several servers write totals of the same players, so one transaction writes at a time.
    create function lock_survival_standings() returns void language sql volatile
      begin atomic select pg_advisory_xact_lock(hashtextextended('survival_standings', 0)); end;

    -- The scopes of several worlds that include a world.
    create function survival_scopes(server_id integer, is_listed boolean, ended_at timestamptz)
      returns table (scope text) language sql immutable
      begin atomic
        select 's' || server_id
        union all select 'all' where is_listed
        union all select 'current' where is_listed and ended_at is null;
      end;

    create function count_survival_standings() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into survival_standing_counts as known (scope, stat, bucket, players, total, updated_at)
        select scope, stat, survival_bucket(value), count(*), sum(value), max(updated_at)
        from came group by 1, 2, 3 order by 1, 2, 3
        ${addCounts};
      elsif tg_op = 'DELETE' then
        insert into survival_standing_counts as known (scope, stat, bucket, players, total, updated_at)
        select scope, stat, survival_bucket(value), -count(*), -sum(value), '-infinity'
        from went group by 1, 2, 3 order by 1, 2, 3
        ${addCounts};
      else
        insert into survival_standing_counts as known (scope, stat, bucket, players, total, updated_at)
        select scope, stat, survival_bucket(value), sum(sign), sum(sign * value), max(updated_at)
        from (select scope, stat, value, 1 as sign, updated_at from came
          union all select scope, stat, value, -1, '-infinity' from went) changed
        group by 1, 2, 3 order by 1, 2, 3
        ${addCounts};
      end if;
      return null;
    end $$;
    create trigger count_inserted after insert on survival_standings
      referencing new table as came for each statement execute function count_survival_standings();
    create trigger count_updated after update on survival_standings
      referencing new table as came old table as went
      for each statement execute function count_survival_standings();
    create trigger count_deleted after delete on survival_standings
      referencing old table as went for each statement execute function count_survival_standings();
  `);
}

const addCounts = `
  on conflict (scope, stat, bucket) do update
  set players = known.players + excluded.players, total = known.total + excluded.total,
    updated_at = greatest(known.updated_at, excluded.updated_at)`;

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop table survival_standings, survival_boards, survival_standing_counts;
    drop function count_survival_standings(), lock_survival_standings(), survival_bucket(bigint),
      survival_takes_furthest(text), survival_scopes(integer, boolean, timestamptz);
    alter table survival_scores drop column left_out;
    alter table survival_npc_kills drop column left_out;
  `);
}
