import { type QueryInterface, QueryTypes, type Sequelize } from "sequelize";

/** Rows per statement. They are so few that no sign-in waits long for the locks. */
const slice = 5_000;

/** Each step can run again: after a lock timeout, the steps that were done stay done. */
export async function up({ sequelize }: QueryInterface): Promise<void> {
  await sequelize.query(`
    -- Attempts that are being checked; they count toward the limit until their result is known.
    alter table rate_limits add column if not exists held integer not null default 0;

    -- A check of an unknown name must cost as much as the most expensive stored hash.
    create index if not exists users_password_cost on users (substr(password_hash, 5, 2));

    -- The compared form of a name. Null if not computed yet, or if an older account has it.
    alter table users add column if not exists username_fold text;
    create index if not exists users_unfolded on users (id) where username_fold is null;

    -- An older release renames users without updating the fold.
    create or replace function forget_username_fold() returns trigger language plpgsql as $body$
    begin
      new.username_fold := null;
      return new;
    end $body$;
    create or replace trigger users_forget_username_fold before update of username_key on users
      for each row when (new.username_key is distinct from old.username_key)
      execute function forget_username_fold();
  `);
  await foldNames(sequelize);
  await sequelize.query(`
    alter table users drop constraint if exists users_username_fold_key;
    alter table users add unique (username_fold);
  `);
}

export async function down({ sequelize }: QueryInterface): Promise<void> {
  await sequelize.query(`
    drop trigger users_forget_username_fold on users;
    drop function forget_username_fold();
    alter table users drop column username_fold;
    drop index users_password_cost;
    alter table rate_limits drop column held;
  `);
}

/**
 * Stores folded names. If several accounts have the same folded name, only the oldest gets it; the others are
 * found by their exact names.
 */
async function foldNames(sequelize: Sequelize): Promise<void> {
  const users = await sequelize.query<{ id: number; username: string; known: string | null }>(
    `select id, username, username_fold as known from users
     order by username_fold is null, id`,
    { type: QueryTypes.SELECT },
  );
  const taken = new Set<string>();
  const folds: { id: number; fold: string }[] = [];
  for (const { id, username, known } of users) {
    const fold = known ?? foldUsername(username);
    if (known === null && !taken.has(fold)) folds.push({ id, fold });
    taken.add(fold);
  }
  for (let from = 0; from < folds.length; from += slice) {
    const part = folds.slice(from, from + slice);
    await sequelize.query(
      `update users set username_fold = fold
       from unnest($1::integer[], $2::text[]) as folded (id, fold)
       where users.id = folded.id and username_fold is null`,
      { bind: [part.map(({ id }) => id), part.map(({ fold }) => fold)] },
    );
  }
}

const foldUsername = (username: string): string =>
  username
    .normalize("NFKC")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFKC");
