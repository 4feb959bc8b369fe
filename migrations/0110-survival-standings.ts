import type { QueryInterface } from "sequelize";

/** A table of figures within one world, and which of its columns hold what. */
interface Figures {
  readonly table: string;
  readonly stat: string;
  readonly key: string;
  readonly value: string;
  readonly at: string;
}

const scores: Figures = {
  table: "survival_scores",
  stat: "stat",
  key: "stat",
  value: "value",
  at: "reached_at",
};
const kills: Figures = {
  table: "survival_npc_kills",
  stat: "'npc:' || profile_key",
  key: "profile_key",
  value: "kills",
  at: "last_at",
};

/**
 * Keeps the order of players in step with the figures that it comes of, by triggers: every writer and
 * every cascade is followed, and the release before writes figures as it did.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    lock table survival_scores, survival_npc_kills, survival_tallies, survival_wipes in share row exclusive mode;

    -- What staff did on a server that leaves staff out of its rankings.
    alter table survival_scores add column left_out boolean not null default false;
    alter table survival_npc_kills add column left_out boolean not null default false;
    drop index survival_scores_ranked, survival_scores_player, survival_npc_kills_player;
    create index survival_scores_player on survival_scores (steam_id, stat);
    create index survival_npc_kills_player on survival_npc_kills (steam_id, profile_key);

    -- The totals of several worlds: of a server ('s' and its id), of the worlds that stand ('current')
    -- and of all ('all') on the servers that are listed.
    create table survival_standings (
      scope text collate "C" not null,
      stat text collate "C" not null,
      steam_id text collate "C" not null,
      value bigint not null,
      -- When that total was reached.
      reached_at timestamptz not null,
      -- When any figure in it was raised last.
      updated_at timestamptz not null,
      primary key (scope, stat, steam_id)
    );
    create index survival_standings_ranked
      on survival_standings (scope, stat, value desc, reached_at, steam_id);

    -- The scopes and stats whose totals are kept: each row of figures that changes is followed in these.
    create table survival_boards (
      scope text collate "C" not null,
      stat text collate "C" not null,
      primary key (scope, stat)
    );

    -- How many players have a total in each range of values; also of each world ('w' and its id).
    create table survival_standing_counts (
      scope text collate "C" not null,
      stat text collate "C" not null,
      bucket smallint not null,
      players integer not null,
      total bigint not null,
      updated_at timestamptz not null,
      primary key (scope, stat, bucket)
    );

    -- Exact below 32, and forty-eight to a factor of e above: each is 2 % wide.
    create function survival_bucket(value bigint) returns smallint language sql immutable parallel safe
      return (least(value, 32) + floor(48 * ln(greatest(value, 32) / 32::float8)))::smallint;

    create function survival_takes_furthest(stat text) returns boolean language sql immutable parallel safe
      return stat in ('pvpKillDistance', 'pveKillDistance');

    -- Ingest of several servers writes totals of the same players: one transaction at a time does.
    create function lock_survival_standings() returns void language sql volatile
      begin atomic select pg_advisory_xact_lock(hashtextextended('survival_standings', 0)); end;

    -- The scopes of several worlds that a world belongs to.
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
  for (const figures of [scores, kills]) {
    await queries.sequelize.query(keep(figures) + followed(figures));
  }
  await queries.sequelize.query(`
    create function leave_out_survival_staff(wipes integer[], players text[]) returns void
    language sql volatile begin atomic
      ${leaveOut(scores)};
      ${leaveOut(kills)};
    end;

    create function follow_survival_staff() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        perform leave_out_survival_staff(array_agg(wipe_id), array_agg(steam_id))
        from came where is_staff having count(*) > 0;
      elsif tg_op = 'DELETE' then
        perform leave_out_survival_staff(array_agg(wipe_id), array_agg(steam_id))
        from went where is_staff having count(*) > 0;
      else
        perform leave_out_survival_staff(array_agg(wipe_id), array_agg(steam_id))
        from came join went using (wipe_id, steam_id)
        where came.is_staff <> went.is_staff having count(*) > 0;
      end if;
      return null;
    end $$;
    create trigger follow_inserted after insert on survival_tallies
      referencing new table as came for each statement execute function follow_survival_staff();
    create trigger follow_updated after update on survival_tallies
      referencing new table as came old table as went
      for each statement execute function follow_survival_staff();
    create trigger follow_deleted after delete on survival_tallies
      referencing old table as went for each statement execute function follow_survival_staff();

    -- Totals of which a whole server or world comes or goes are kept again once a job has summed them.
    create function follow_survival_server() returns trigger language plpgsql as $$
    begin
      perform lock_survival_standings();
      if tg_op = 'DELETE' or new.listed <> old.listed then
        delete from survival_boards where scope in ('all', 'current');
      end if;
      if tg_op = 'DELETE' then
        delete from survival_boards where scope = 's' || old.id;
        delete from survival_standings where scope = 's' || old.id;
        delete from survival_standing_counts where scope = 's' || old.id;
        return old;
      end if;
      if new.ignore_staff <> old.ignore_staff then
        perform leave_out_survival_staff(array_agg(wipe_id), array_agg(steam_id))
        from survival_tallies tally join survival_wipes wipe on wipe.id = tally.wipe_id
        where wipe.server_id = new.id and is_staff having count(*) > 0;
      end if;
      return null;
    end $$;
    create trigger follow_updated after update of listed, ignore_staff on survival_servers
      for each row execute function follow_survival_server();
    create trigger follow_deleted before delete on survival_servers
      for each row execute function follow_survival_server();

    create function follow_survival_wipe() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and tg_when = 'AFTER' then
        delete from survival_standing_counts where scope = 'w' || old.id;
        return null;
      end if;
      if tg_op = 'UPDATE' and (new.ended_at is null) = (old.ended_at is null) then return null; end if;
      perform lock_survival_standings();
      delete from survival_boards where scope = 'current';
      if tg_op = 'UPDATE' then return null; end if;
      delete from survival_boards where scope in ('s' || old.server_id, 'all');
      return old;
    end $$;
    create trigger follow_updated after update of ended_at on survival_wipes
      for each row execute function follow_survival_wipe();
    create trigger follow_deleted before delete on survival_wipes
      for each row execute function follow_survival_wipe();
    -- Its name comes after those of the foreign keys: what is deleted with a world is counted before.
    create trigger forget_deleted after delete on survival_wipes
      for each row execute function follow_survival_wipe();

    -- Counts of worlds are complete from the start; totals of several worlds are summed by a job.
    ${markStaff(scores)};
    ${markStaff(kills)};
    create index survival_scores_ranked
      on survival_scores (wipe_id, stat, value desc, reached_at, steam_id) where not left_out;
    create index survival_npc_kills_ranked
      on survival_npc_kills (wipe_id, profile_key, kills desc, last_at, steam_id) where not left_out;
    ${countAll(scores)};
    ${countAll(kills)};
  `);
  for (const figures of [scores, kills]) await queries.sequelize.query(triggersOf(figures));
}

const addCounts = `
  on conflict (scope, stat, bucket) do update
  set players = known.players + excluded.players, total = known.total + excluded.total,
    updated_at = greatest(known.updated_at, excluded.updated_at)`;

/** A figure before and after: of a row that counts nowhere, no value. */
const changedBy = (
  event: "insert" | "update" | "delete",
  { stat, key, value, at }: Figures,
): string => {
  const columns = (row: string): string =>
    `${row}.wipe_id, ${stat.replace(key, `${row}.${key}`)} as stat, ${row}.steam_id`;
  const shown = (row: string): string =>
    `case when not ${row}.left_out then ${row}.${value}::bigint end as ${row}_value,
     case when not ${row}.left_out then ${row}.${at} end as ${row}_at`;
  const none = (row: string): string =>
    `null::bigint as ${row}_value, null::timestamptz as ${row}_at`;
  if (event === "insert")
    return `select ${columns("came")}, ${none("went")}, ${shown("came")} from came`;
  if (event === "delete")
    return `select ${columns("went")}, ${shown("went")}, ${none("came")} from went`;
  return `select ${columns("came")}, ${shown("went")}, ${shown("came")}
    from came join went using (wipe_id, ${key}, steam_id)`;
};

/** Raised, or new among what counts. Anything else is summed anew. */
const isRise = "came_value >= coalesce(went_value, 0) and came_at >= coalesce(went_at, came_at)";

/** The totals of a stat in all scopes of its worlds, of all players or of those whose figures are given. */
const totals = ({ table, stat, value, at }: Figures, given: string): string => `
  select scope.scope, ${stat} as stat, figure.steam_id,
    case when survival_takes_furthest(min(${stat})) then max(${value}) else sum(${value}) end::bigint
      as value,
    case when survival_takes_furthest(min(${stat}))
      then (array_agg(${at} order by ${value} desc, ${at}))[1] else max(${at}) end as reached_at,
    max(${at}) as updated_at
  from ${table} figure
  join survival_wipes world on world.id = figure.wipe_id
  join survival_servers server on server.id = world.server_id
  cross join lateral survival_scopes(server.id, server.listed, world.ended_at) scope
  where not figure.left_out and ${given}
  group by scope.scope, ${stat}, figure.steam_id`;

/** Sums a board anew, and has each change of its figures followed from then on. */
const keep = (figures: Figures): string => `
  create function keep_${figures.table}(board_scope text, board_key text) returns void
  language plpgsql as $$
  declare board_stat text := ${figures.stat.replace(figures.key, "board_key")};
  begin
    perform lock_survival_standings();
    delete from survival_standings where scope = board_scope and stat = board_stat;
    delete from survival_standing_counts where scope = board_scope and stat = board_stat;
    insert into survival_standings (scope, stat, steam_id, value, reached_at, updated_at)
    select scope, stat, steam_id, value, reached_at, updated_at
    from (${totals(figures, `figure.${figures.key} = board_key`)}) total
    where scope = board_scope order by steam_id;
    insert into survival_boards (scope, stat) values (board_scope, board_stat) on conflict do nothing;
  end $$;`;

const follow = (event: "insert" | "update" | "delete", figures: Figures): string => {
  const { table, stat, key, value, at } = figures;
  const changed = changedBy(event, figures);
  return `
    create function follow_${table}_${event}() returns trigger language plpgsql as $$
    declare scopes text[]; stats text[]; players text[]; worlds integer[];
    begin
      if not exists (select from ${event === "delete" ? "went" : "came"}) then return null; end if;
      perform lock_survival_standings();
      insert into survival_standing_counts as known (scope, stat, bucket, players, total, updated_at)
      select 'w' || wipe_id, stat, survival_bucket(value), sum(sign), sum(sign * value), max(at)
      from (
        select wipe_id, stat, came_value as value, 1 as sign, came_at as at from (${changed}) changed
        where came_value is not null
        union all
        select wipe_id, stat, went_value, -1, '-infinity' from (${changed}) changed
        where went_value is not null) given
      group by 1, 2, 3 order by 1, 2, 3
      ${addCounts};

      insert into survival_standings as known (scope, stat, steam_id, value, reached_at, updated_at)
      select board.scope, board.stat, changed.steam_id,
        case when survival_takes_furthest(board.stat) then max(came_value)
          else sum(came_value - coalesce(went_value, 0)) end,
        max(came_at), max(came_at)
      from (${changed}) changed
      join survival_wipes world on world.id = changed.wipe_id
      join survival_servers server on server.id = world.server_id
      cross join lateral survival_scopes(server.id, server.listed, world.ended_at) scope
      join survival_boards board on board.scope = scope.scope and board.stat = changed.stat
      where ${isRise}
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (scope, stat, steam_id) do update set
        value = case when survival_takes_furthest(known.stat) then greatest(known.value, excluded.value)
          else known.value + excluded.value end,
        reached_at = case when not survival_takes_furthest(known.stat)
          then greatest(known.reached_at, excluded.reached_at)
          when excluded.value > known.value then excluded.reached_at
          when excluded.value = known.value then least(known.reached_at, excluded.reached_at)
          else known.reached_at end,
        updated_at = greatest(known.updated_at, excluded.updated_at);

      select array_agg(scope.scope), array_agg(stat), array_agg(steam_id), array_agg(world.id)
      into scopes, stats, players, worlds
      from (${changed}) changed
      join survival_wipes world on world.id = changed.wipe_id
      join survival_servers server on server.id = world.server_id
      cross join lateral survival_scopes(server.id, server.listed, world.ended_at) scope
      where went_value is not null and (${isRise}) is not true;
      if scopes is not null then
        delete from survival_standings standing
        using (select distinct * from unnest(scopes, stats, players) given (scope, stat, steam_id)) given
        join survival_boards board using (scope, stat)
        where standing.scope = given.scope and standing.stat = given.stat
          and standing.steam_id = given.steam_id;
        insert into survival_standings (scope, stat, steam_id, value, reached_at, updated_at)
        select scope, stat, steam_id, value, reached_at, updated_at
        from (${totals(figures, `(figure.steam_id, ${stat}) in (select * from unnest(players, stats))`)}) total
        join (select distinct * from unnest(scopes, stats, players) given (scope, stat, steam_id)) given
          using (scope, stat, steam_id)
        join survival_boards board using (scope, stat)
        order by 1, 2, 3;

        -- The newest figure may be among those that are gone.
        update survival_standing_counts counted set updated_at = coalesce(newest.updated_at, '-infinity')
        from (select distinct * from unnest(scopes, stats) board (scope, stat)) board
        join survival_standing_counts bucket using (scope, stat)
        left join (
          select standing.scope, standing.stat, survival_bucket(standing.value) as bucket,
            max(standing.updated_at) as updated_at
          from survival_standings standing
          where (standing.scope, standing.stat) in (select * from unnest(scopes, stats))
          group by 1, 2, 3) newest using (scope, stat, bucket)
        where counted.scope = board.scope and counted.stat = board.stat
          and counted.bucket = bucket.bucket;
        update survival_standing_counts counted set updated_at = coalesce(newest.updated_at, '-infinity')
        from (select distinct 'w' || world as scope, stat from unnest(worlds, stats) board (world, stat)) board
        join survival_standing_counts bucket using (scope, stat)
        left join (
          select 'w' || wipe_id as scope, ${stat} as stat, survival_bucket(${value}) as bucket,
            max(${at}) as updated_at
          from ${table} figure
          where not left_out and (wipe_id, ${stat}) in (select * from unnest(worlds, stats))
          group by 1, 2, 3) newest using (scope, stat, bucket)
        where counted.scope = board.scope and counted.stat = board.stat
          and counted.bucket = bucket.bucket;
      end if;
      ${
        event === "insert"
          ? `
      update ${table} figure set left_out = true
      from came join survival_tallies tally using (wipe_id, steam_id)
      join survival_wipes world on world.id = tally.wipe_id
      join survival_servers server on server.id = world.server_id
      where tally.is_staff and server.ignore_staff and not came.left_out
        and figure.wipe_id = came.wipe_id and figure.${key} = came.${key}
        and figure.steam_id = came.steam_id;`
          : ""
      }
      return null;
    end $$;`;
};

const events = ["insert", "update", "delete"] as const;

const followed = (figures: Figures): string =>
  events.map((event) => follow(event, figures)).join("\n");

const transition = {
  insert: "new table as came",
  update: "new table as came old table as went",
  delete: "old table as went",
} as const;

const triggersOf = ({ table }: Figures): string =>
  events
    .map(
      (event) => `
    create trigger follow_${event}d after ${event} on ${table} referencing ${transition[event]}
      for each statement execute function follow_${table}_${event}();`,
    )
    .join("\n");

const leaveOut = ({ table }: Figures): string => `
  update ${table} figure set left_out = tally.left_out
  from (
    select given.wipe_id, given.steam_id,
      coalesce(tally.is_staff and server.ignore_staff, false) as left_out
    from unnest(wipes, players) given (wipe_id, steam_id)
    join survival_wipes world on world.id = given.wipe_id
    join survival_servers server on server.id = world.server_id
    left join survival_tallies tally
      on tally.wipe_id = given.wipe_id and tally.steam_id = given.steam_id) tally
  where figure.wipe_id = tally.wipe_id and figure.steam_id = tally.steam_id
    and figure.left_out <> tally.left_out`;

const markStaff = ({ table }: Figures): string => `
  update ${table} figure set left_out = true
  from survival_tallies tally
  join survival_wipes world on world.id = tally.wipe_id
  join survival_servers server on server.id = world.server_id
  where tally.is_staff and server.ignore_staff
    and figure.wipe_id = tally.wipe_id and figure.steam_id = tally.steam_id`;

const countAll = ({ table, stat, value, at }: Figures): string => `
  insert into survival_standing_counts (scope, stat, bucket, players, total, updated_at)
  select 'w' || wipe_id, ${stat}, survival_bucket(${value}), count(*) filter (where not left_out),
    coalesce(sum(${value}) filter (where not left_out), 0),
    coalesce(max(${at}) filter (where not left_out), '-infinity')
  from ${table} group by 1, 2, 3`;

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop trigger follow_updated on survival_wipes;
    drop trigger follow_deleted on survival_wipes;
    drop trigger forget_deleted on survival_wipes;
    drop trigger follow_updated on survival_servers;
    drop trigger follow_deleted on survival_servers;
    drop trigger follow_inserted on survival_tallies;
    drop trigger follow_updated on survival_tallies;
    drop trigger follow_deleted on survival_tallies;
    ${[scores, kills]
      .flatMap(({ table }) =>
        events.map(
          (event) => `
    drop trigger follow_${event}d on ${table};
    drop function follow_${table}_${event}();`,
        ),
      )
      .join("")}
    drop function keep_survival_scores(text, text), keep_survival_npc_kills(text, text),
      follow_survival_wipe(), follow_survival_server(), follow_survival_staff(),
      leave_out_survival_staff(integer[], text[]), survival_scopes(integer, boolean, timestamptz);
    drop table survival_standings, survival_boards, survival_standing_counts;
    drop function count_survival_standings(), lock_survival_standings(), survival_bucket(bigint),
      survival_takes_furthest(text);
    drop index survival_scores_ranked, survival_npc_kills_ranked, survival_scores_player,
      survival_npc_kills_player;
    alter table survival_scores drop column left_out;
    alter table survival_npc_kills drop column left_out;
    create index survival_scores_ranked
      on survival_scores (wipe_id, stat, value desc, reached_at, steam_id);
    create index survival_scores_player on survival_scores (steam_id);
    create index survival_npc_kills_player on survival_npc_kills (steam_id);
  `);
}
