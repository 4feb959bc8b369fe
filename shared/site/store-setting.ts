import type { Sql } from "../db/sql.ts";

/**
 * Stores the value of one setting, of whatever kind, in place of the one before.
 * @returns when it was changed
 */
export async function storeSetting(
  name: string,
  value: unknown,
  actorId: number,
  sql: Sql,
): Promise<Date> {
  const { rows } = await sql.query<{ changedAt: Date }>(
    `insert into settings (name, value, changed_by) values ($1, $2, $3)
     on conflict (name) do update
       set value = excluded.value, changed_by = excluded.changed_by, changed_at = now()
     returning changed_at as "changedAt"`,
    [name, JSON.stringify(value), actorId],
  );
  return (rows as [{ changedAt: Date }])[0].changedAt;
}
