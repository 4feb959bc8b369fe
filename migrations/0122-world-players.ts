import type { QueryInterface } from "sequelize";

/** Adds the number of players to each world. Triggers update it. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    lock table survival_tallies in share row exclusive mode;
    create table survival_world_players (
      wipe_id integer primary key references survival_wipes on delete cascade,
      players integer not null
    );

    create function count_survival_players() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into survival_world_players as known (wipe_id, players)
        select wipe_id, count(*) from came group by 1 order by 1
        on conflict (wipe_id) do update set players = known.players + excluded.players;
      else
        -- The count of a world that is deleted goes with the world.
        update survival_world_players known set players = known.players - gone.players
        from (select wipe_id, count(*) as players from went group by 1) gone
        where known.wipe_id = gone.wipe_id;
      end if;
      return null;
    end $$;
    create trigger count_inserted after insert on survival_tallies
      referencing new table as came for each statement execute function count_survival_players();
    create trigger count_deleted after delete on survival_tallies
      referencing old table as went for each statement execute function count_survival_players();

    insert into survival_world_players (wipe_id, players)
    select wipe_id, count(*) from survival_tallies group by 1;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop trigger count_inserted on survival_tallies;
    drop trigger count_deleted on survival_tallies;
    drop function count_survival_players();
    drop table survival_world_players;
  `);
}
