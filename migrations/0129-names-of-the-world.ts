import { type QueryInterface, QueryTypes, type Sequelize } from "sequelize";

/** Rows per statement. They are so few that no sign-in waits long for the locks. */
const slice = 5_000;

/**
 * Folded names now ignore the dot of an `i` and joiners. If several accounts then have the same folded name, it
 * belongs to the account that had it before, otherwise to the oldest. The others are found by their exact
 * names.
 */
export async function up({ sequelize }: QueryInterface): Promise<void> {
  await sequelize.query(`
    -- A running older release folds by its own rule, so such a fold is computed again.
    create or replace function drop_dotted_fold() returns trigger language plpgsql as $body$
    begin
      new.username_fold := null;
      return new;
    end $body$;
    create or replace trigger users_drop_dotted_fold before insert or update of username_fold
      on users
      for each row when (new.username_fold like '%i' || U&'\\0307' || '%')
      execute function drop_dotted_fold();

    -- Names of staff are read each time a user chooses a name.
    create index if not exists users_staff on users (id) where role <> 'player';
  `);
  await foldNames(sequelize, foldUsername);
}

/** Gives accounts without a folded name a name folded by the former rule. */
export async function down({ sequelize }: QueryInterface): Promise<void> {
  await sequelize.query(`
    drop trigger users_drop_dotted_fold on users;
    drop function drop_dotted_fold();
    drop index users_staff;
  `);
  await foldNames(sequelize, formerFold);
}

interface Folded {
  readonly id: number;
  readonly username: string;
  readonly fold: string | null;
}

/**
 * Keeps each stored fold that the given rule still returns. Every other fold goes to the oldest user whose name
 * has it. Changed folds are cleared first, because two rows that swap folds would violate the unique constraint.
 */
async function foldNames(sequelize: Sequelize, fold: (name: string) => string): Promise<void> {
  const users = await sequelize.query<Folded>(
    "select id, username, username_fold as fold from users order by id",
    { type: QueryTypes.SELECT },
  );
  const kept = users.filter((user) => user.fold === fold(user.username));
  const taken = new Set(kept.map((user) => user.fold));
  const changes: { id: number; fold: string | null }[] = [];
  for (const { id, username, fold: before } of users) {
    const given = fold(username);
    if (given === before) continue;
    const after = taken.has(given) ? null : given;
    taken.add(given);
    if (after !== before) changes.push({ id, fold: after });
  }
  const emptied = changes.map(({ id }) => ({ id, fold: null }));
  await storeFolds(sequelize, emptied);
  await storeFolds(sequelize, changes);
}

async function storeFolds(
  sequelize: Sequelize,
  changes: readonly Pick<Folded, "id" | "fold">[],
): Promise<void> {
  for (let from = 0; from < changes.length; from += slice) {
    const part = changes.slice(from, from + slice);
    await sequelize.query(
      `update users set username_fold = fold
       from unnest($1::integer[], $2::text[]) as folded (id, fold)
       where users.id = folded.id and username_fold is distinct from fold`,
      { bind: [part.map(({ id }) => id), part.map(({ fold }) => fold)] },
    );
  }
}

const foldUsername = (username: string): string =>
  formerFold(username.trim())
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFD")
    .replaceAll(/(?<=i\p{M}*)\u0307/gu, "")
    .normalize("NFKC")
    .trim();

const formerFold = (username: string): string =>
  username
    .normalize("NFKC")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFKC");
