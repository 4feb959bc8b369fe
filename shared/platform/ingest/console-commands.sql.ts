import { isLinkedByConsoleSql } from "../plugin/sources.ts";

/** SQL condition: true if this process still owns the source. `$1` is the source, `$2` the fence. */
const isOwnedSql =
  "exists (select from ingest_sources where ingest_sources.source = $1 and fence = $2)";

/** Begins a session of the owner. `wait_id` is the id of this session. */
export const beginConsoleSql = `
  with held as materialized (
    select source from ingest_sources where source = $1 and fence = $2 for share)
  insert into plugin_sessions
    (source, wait_id, boot_id, hello, hello_at, heard_at, alive_until)
  select source, $3::uuid, $4, $5::jsonb, clock_timestamp(), clock_timestamp(),
    clock_timestamp() + make_interval(secs => $6::integer)
  from held where ${isLinkedByConsoleSql("$1")}
  on conflict (source) do update set wait_id = excluded.wait_id, boot_id = excluded.boot_id,
    hello = excluded.hello, hello_at = excluded.hello_at, heard_at = excluded.heard_at,
    alive_until = excluded.alive_until, refusal = null, key_id = null`;

export const keepConsoleAliveSql = `
  update plugin_sessions set heard_at = clock_timestamp(),
    alive_until = clock_timestamp() + make_interval(secs => $4::integer)
  where source = $1 and wait_id = $3::uuid and ${isOwnedSql}`;

/** Ends the session with the id `$3`. If `$3` is null, ends any session of the source. */
export const endConsoleSql = `
  update plugin_sessions set wait_id = null, alive_until = clock_timestamp()
  where source = $1 and ${isOwnedSql} and ${isLinkedByConsoleSql("$1")}
    and ($3::uuid is null or wait_id = $3::uuid)`;

/** Marks as lost the commands that a session took and did not answer. A null `$3` means all sessions. */
export const loseTakenSql = `
  with lost as (
    select number from plugin_commands
    where state = 'taken' and source = $1 and ${isOwnedSql}
      and case when $3::text is null then ${isLinkedByConsoleSql("$1")} else boot_id = $3::text end
    order by number for update)
  update plugin_commands set state = 'lost', loss = 'disconnected' from lost
  where plugin_commands.number = lost.number returning id`;

/**
 * Takes the waiting commands in order, each only once, and deletes their input from the table. The lock on the
 * session makes the next owner wait until the commands are taken. `boot_id` stores the session that took the
 * command.
 */
export const takeConsoleCommandsSql = {
  name: "console_commands_take",
  text: `
  with session as (
    select source from plugin_sessions
    where source = $1 and wait_id = $3::uuid and ${isOwnedSql} and ${isLinkedByConsoleSql("$1")}
    for share),
  next as (
    select number, input from plugin_commands
    where source = (select source from session) and state = 'waiting'
      and take_before > clock_timestamp()
    order by number limit $4 for update skip locked),
  taken as (
    update plugin_commands set state = 'taken', taken_at = clock_timestamp(), boot_id = $3::text,
      input = '{}'
    from next where plugin_commands.number = next.number
    returning plugin_commands.id, plugin_commands.call, next.input, plugin_commands.number)
  select id, call, input from taken order by number`,
};

/** Returns a row if a taken command may be executed: it is not lost, and its caller still waits. */
export const mayExecuteSql = {
  name: "console_command_check",
  text: `
  select 1 as may from plugin_commands
  where id = $3::uuid and source = $1 and state = 'taken' and answer_before > clock_timestamp()
    and ${isOwnedSql}`,
};

/** Stores an outcome. If no caller can read it again, stores only its status. */
export const storeConsoleOutcomeSql = {
  name: "console_command_answer",
  text: `
  update plugin_commands set state = 'answered', status = $4,
    outcome = case when kept_for <> 'nobody' then $5 end, answered_at = clock_timestamp()
  where id = $3::uuid and source = $1 and state = 'taken' and ${isOwnedSql}
  returning id`,
};
