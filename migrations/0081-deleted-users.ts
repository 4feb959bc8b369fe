import type { QueryInterface } from "sequelize";

/**
 * Stores the ids of deleted users and nothing else about them. A game's links to deleted users must be removed;
 * links to other unknown ids belong to users that this site never had.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table deleted_users (id integer primary key);

    insert into deleted_users (id)
    select distinct case when target_id ~ '^[0-9]{1,9}$' then target_id::integer end
    from activity_log
    where action = 'user.deleted'
      and target_type = 'user' and target_id ~ '^[0-9]{1,9}$'
      and not exists (select from users
        where id = case when target_id ~ '^[0-9]{1,9}$' then target_id::integer end);

    create function note_deleted_user() returns trigger language plpgsql as $$
    begin
      insert into deleted_users (id) values (old.id) on conflict do nothing;
      return null;
    end $$;
    create trigger note_deleted after delete on users
      for each row execute function note_deleted_user();
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop trigger note_deleted on users;
    drop function note_deleted_user();
    drop table deleted_users;
  `);
}
