/**
 * Whether a user of a table `users` reaches what is open from a rung upwards, as SQL: what `rungOf` says
 * of their session. Null is open to nobody.
 * @param rung the SQL of it
 */
export const userReaches = (rung: string): string => `(
  ${rung} in ('anonymous', 'logged_in')
  or (users.role = 'admin' and ${rung} is not null)
  or (${rung} in ('player', 'staff') and users.role <> 'player')
  or (${rung} = 'player' and exists (select from shard_links where user_id = users.id)))`;
