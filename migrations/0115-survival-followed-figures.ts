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

const events = ["insert", "update", "delete"] as const;

/** Creates triggers that update rankings after every change, also by cascades and by the previous release. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    lock table survival_scores, survival_npc_kills, survival_tallies, survival_wipes
      in share row exclusive mode;
    drop index survival_scores_ranked, survival_scores_player, survival_npc_kills_player;
    create index survival_scores_player on survival_scores (steam_id, stat);
    create index survival_npc_kills_player on survival_npc_kills (steam_id, profile_key);

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

    -- Drops totals of which a server or world is added or removed; a job then sums them again.
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
    -- Its name sorts after those of the foreign keys: rows deleted with a world count first.
    create trigger forget_deleted after delete on survival_wipes
      for each row execute function follow_survival_wipe();

    -- Counts of worlds are complete from the start; a job computes the totals of several worlds.
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
    drop trigger follow_${event}d on ${table};`,
        ),
      )
      .join("")}
    drop function follow_survival_wipe(), follow_survival_server(), follow_survival_staff(),
      leave_out_survival_staff(integer[], text[]);
    drop index survival_scores_ranked, survival_npc_kills_ranked, survival_scores_player,
      survival_npc_kills_player;
    create index survival_scores_ranked
      on survival_scores (wipe_id, stat, value desc, reached_at, steam_id);
    create index survival_scores_player on survival_scores (steam_id);
    create index survival_npc_kills_player on survival_npc_kills (steam_id);
  `);
}
