import { QueryTypes, type Sequelize } from "sequelize";

/** Lists the columns that refer to a user, by a foreign key or by the column's name. */
export async function columnsOfUsers(sequelize: Sequelize): Promise<string[]> {
  const found = await sequelize.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type in ('integer', 'bigint')
       and (column_name ~ '^(user|actor|author|owner|assignee|creator)_id$' or column_name ~ '_by$')
     union
     select c.relname || '.' || a.attname from pg_constraint k
     join pg_class c on c.oid = k.conrelid
     join pg_attribute a on a.attrelid = c.oid and a.attnum = any(k.conkey)
     where k.contype = 'f' and k.confrelid = 'users'::regclass
     union select 'users.id'`,
    { type: QueryTypes.SELECT },
  );
  return found.map(({ name }) => name).toSorted();
}

/** JSON columns of game data that may contain a player's account. */
const documents = [
  "shard_events.payload",
  "survival_events.payload",
  "survival_participations.members",
  "survival_permission_inventories.users",
  "survival_permission_rows.subject",
];

/**
 * Lists the columns that contain a game account, a Steam account or a character, and so may
 * identify a user.
 */
export async function columnsOfPlayers(sequelize: Sequelize): Promise<string[]> {
  const found = await sequelize.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public'
       and column_name ~ '(^|_)(steam_?id|account|account_key|acct|player_id|owner_serial)$'`,
    { type: QueryTypes.SELECT },
  );
  return [...found.map(({ name }) => name), ...documents].toSorted();
}

/** Lists the tables with a row that refers to the user. */
export async function tablesWithRowsOf(userId: number, sequelize: Sequelize): Promise<string[]> {
  const tables = new Set<string>();
  for (const name of await columnsOfUsers(sequelize)) {
    const [table, column] = name.split(".");
    const rows = await sequelize.query(`select 1 from ${table} where ${column} = $1 limit 1`, {
      bind: [userId],
      type: QueryTypes.SELECT,
    });
    if (rows.length > 0) tables.add(table as string);
  }
  return [...tables].toSorted();
}
