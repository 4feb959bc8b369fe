import type { QueryInterface } from "sequelize";

/**
 * Makes entries of the activity log immutable, even for holders of the database's password. Exceptions: an
 * outcome may be added once, and the deletion of a user removes the address and the account's details. Old
 * entries are deleted.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create function activity_names_deleted(line activity_log) returns boolean
      language sql stable as $$
        select (line.actor_id is not null
            and not exists (select from users where id = line.actor_id))
          or (line.target_type = 'user' and line.target_id ~ '^[0-9]{1,9}$'
            and not exists (select from users
              where id = case when line.target_id ~ '^[0-9]{1,9}$'
                then line.target_id::integer end))
      $$;

    create function refuse_activity_change() returns trigger language plpgsql as $$
    declare
      settles boolean := old.detail ->> 'outcome' = 'unknown'
        and new.address is not distinct from old.address;
      forgets boolean := (new.address is null or new.address = old.address)
        and (new.detail = old.detail or new.detail = '{}');
    begin
      if (new.id, new.at, new.action) = (old.id, old.at, old.action)
        and (new.actor_id, new.token_id, new.target_type, new.target_id)
          is not distinct from (old.actor_id, old.token_id, old.target_type, old.target_id)
        and (coalesce(settles, false) or (coalesce(forgets, false) and activity_names_deleted(old)))
      then
        return new;
      end if;
      raise exception 'lines of the activity log are never changed'
        using errcode = 'insufficient_privilege';
    end $$;

    create trigger activity_stands before update on activity_log for each row
      when (new is distinct from old) execute function refuse_activity_change();
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop trigger activity_stands on activity_log;
    drop function refuse_activity_change();
    drop function activity_names_deleted(activity_log);
  `);
}
