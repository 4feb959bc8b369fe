import type { QueryInterface } from "sequelize";

/** A table with statistics per world, and its columns for the statistic, its key, the value and the time. */
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

/** Creates the functions that update rankings; the next migration creates their triggers. */
export async function up(queries: QueryInterface): Promise<void> {
  for (const figures of [scores, kills]) {
    await queries.sequelize.query(keep(figures) + followed(figures));
  }
}

const addCounts = `
  on conflict (scope, stat, bucket) do update
  set players = known.players + excluded.players, total = known.total + excluded.total,
    updated_at = greatest(known.updated_at, excluded.updated_at)`;

/** Nulls for the missing row: an insert has no old row, a delete no new row. */
const none = (row: string): string =>
  `null::bigint as ${row}_value, null::timestamptz as ${row}_at`;

/** Selects the value before and after a change; null for a row that is excluded from rankings. */
const changedBy = (
  event: "insert" | "update" | "delete",
  { stat, key, value, at }: Figures,
): string => {
  const columns = (row: string): string =>
    `${row}.wipe_id, ${stat.replace(key, `${row}.${key}`)} as stat, ${row}.steam_id`;
  const shown = (row: string): string =>
    `case when not ${row}.left_out then ${row}.${value}::bigint end as ${row}_value,
     case when not ${row}.left_out then ${row}.${at} end as ${row}_at`;
  if (event === "insert") {
    return `select ${columns("came")}, ${none("went")}, ${shown("came")} from came`;
  }
  if (event === "delete") {
    return `select ${columns("went")}, ${shown("went")}, ${none("came")} from went`;
  }
  return `select ${columns("came")}, ${shown("went")}, ${shown("came")}
    from came join went using (wipe_id, ${key}, steam_id)`;
};

/** True if a value is new or was raised. After any other change, the total is computed again. */
const isRise = "came_value >= coalesce(went_value, 0) and came_at >= coalesce(went_at, came_at)";

/**
 * Selects a statistic's totals per player for each scope of a ranking, such as a server, from the rows that meet
 * a condition.
 */
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

/** Returns SQL for a function that computes the totals of a ranking. From then on, triggers update this ranking. */
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

export async function down(queries: QueryInterface): Promise<void> {
  const functions = [scores, kills].flatMap(({ table }) => [
    `keep_${table}(text, text)`,
    ...events.map((event) => `follow_${table}_${event}()`),
  ]);
  await queries.sequelize.query(`drop function ${functions.join(", ")}`);
}
