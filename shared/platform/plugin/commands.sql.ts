import type { CommandLossReason } from "../../../models/plugin/plugin-command.ts";
import { isKeyUsableSql } from "./keys.sql.ts";
import { pluginLimits } from "./plugin-limits.ts";
import { isLinkedByPluginSql, lockSourceSql } from "./sources.ts";

export const insertCommandSql = {
  name: "plugin_command_place",
  text: `
  with locked as materialized (${lockSourceSql("$1")}),
  session as (
    select coalesce(alive_until > clock_timestamp(), false) as is_alive,
      $11::text is null or coalesce(hello -> 'capabilities' ? $11::text, false) as is_able
    from plugin_sessions join locked using (source) where boot_id is not null),
  placed as (
    insert into plugin_commands
      (id, source, call, input, actor, key, digest, is_read, take_before, answer_before,
        kept_for)
    select $2::uuid, $1, $3, $4::jsonb, $5::jsonb, $6, $7::bytea, $8::boolean,
      clock_timestamp() + $9::integer * interval '1 millisecond',
      clock_timestamp() + $10::integer * interval '1 millisecond', $12
    from session where is_alive and is_able
    on conflict (source, key) where key is not null
      and (state in ('waiting', 'taken') or (state = 'answered' and status between 200 and 299))
      do nothing
    returning id),
  told as (
    select pg_notify('plugin_calls', json_build_object('source', $1::text)::text) from placed)
  select is_alive as "isAlive", is_able as "isAble", exists (select from told) as "isPlaced"
  from session`,
};

export const selectCommandOfKeySql = `
  select id, digest, state = 'taken'
      and answer_before < clock_timestamp() - interval '${pluginLimits.lostMinutes} minutes'
      as "isOver"
  from plugin_commands where source = $1 and key = $2
    and (state in ('waiting', 'taken') or (state = 'answered' and status between 200 and 299))`;

export const markCommandOverdueSql =
  "update plugin_commands set state = 'lost', loss = 'overdue' where id = $1 and state = 'taken'";

export const selectCommandSql = {
  name: "plugin_command_read",
  text: "select state, loss, status, outcome from plugin_commands where id = $1::uuid",
};

export const withdrawCommandSql = "delete from plugin_commands where id = $1 and state = 'waiting'";
export const deleteReadCommandSql =
  "delete from plugin_commands where id = $1 and state <> 'waiting'";
export const dropOutcomeSql =
  "update plugin_commands set kept_for = 'nobody', outcome = null where id = $1 and kept_for = 'caller'";

/**
 * Delivers each command once, in order, and only to the newest long poll of the game process while its key and
 * link are valid. The lock on the session makes a hello or a newer poll wait. Delivery deletes the input, because
 * it may contain the password of a game account.
 */
export const takeCommandsSql = {
  name: "plugin_commands_take",
  text: `
  with session as (
    select source from plugin_sessions
    where source = $1 and boot_id = $2 and wait_id = $4::uuid and ${isLinkedByPluginSql("$1")}
      and ${isKeyUsableSql("$5::bigint")}
    for share),
  next as (
    select number, input from plugin_commands
    where source = (select source from session) and state = 'waiting'
      and take_before > clock_timestamp()
    order by number limit $3 for update skip locked),
  taken as (
    update plugin_commands set state = 'taken', taken_at = clock_timestamp(), boot_id = $2,
      input = '{}'
    from next where plugin_commands.number = next.number
    returning plugin_commands.*, next.input as given)
  select id, call, given as input, actor, key,
    greatest(0, ceil(extract(epoch from answer_before - clock_timestamp()) * 1000))::integer
      as "timeoutMs"
  from taken order by number`,
};

/**
 * Stores the outcome of a taken command. Also stores the outcome of a lost command, unless a later command uses
 * the same key. If nobody can request the outcome, stores only its digest.
 */
export const storeOutcomeSql = {
  name: "plugin_command_answer",
  text: `
  update plugin_commands command set state = 'answered', loss = null, status = $3,
    outcome = case when kept_for <> 'nobody' then $4 end, outcome_digest = $5, answered_at = clock_timestamp()
  where id = $1::uuid and source = $2 and ${isKeyUsableSql("$6::bigint")} and (state = 'taken' or (state = 'lost' and not exists (
    select from plugin_commands later
    where later.source = $2 and later.key = command.key and later.number > command.number)))
  returning id`,
};

export const selectOutcomeSql = `select state, outcome_digest as "outcomeDigest" from plugin_commands
     where id = $1 and source = $2 and state <> 'waiting'`;

/**
 * SQL that marks taken commands as lost and locks them in the order of their numbers.
 * @param which an SQL condition
 */
export const markCommandsLostSql = (loss: CommandLossReason, which: string): string => `
  with lost as (
    select number from plugin_commands where state = 'taken' and ${which}
    order by number for update)
  update plugin_commands set state = 'lost', loss = '${loss}' from lost
  where plugin_commands.number = lost.number returning id`;

export const deleteLargeOutcomesSql = `
  with large as (
    select number, answered_at, sum(octet_length(outcome)) over (
      partition by source order by answered_at desc, number desc) as bytes
    from plugin_commands
    where octet_length(outcome) > ${pluginLimits.smallOutcomeBytes}
      and ($1::text is null or source = $1)),
  dropped as (
    select number from plugin_commands
    where number in (select number from large
      where bytes > $2 and answered_at < clock_timestamp() - interval '30 seconds')
    for update skip locked)
  update plugin_commands set outcome = null from dropped
  where plugin_commands.number = dropped.number`;

export const deleteUnneededOutcomesSql = `
  with dropped as (
    select number from plugin_commands
    where outcome is not null and (kept_for <> 'key' or status not between 200 and 299)
      and answered_at < clock_timestamp() - make_interval(mins => $1::integer)
      and answer_before < clock_timestamp() - make_interval(mins => $1::integer)
    for update skip locked)
  update plugin_commands set outcome = null from dropped
  where plugin_commands.number = dropped.number`;

export const deleteOldCommandsSql = `delete from plugin_commands where number in (
       select number from plugin_commands
       where created_at < clock_timestamp() - make_interval(hours => $1::integer)
         or (is_read or state = 'waiting') and created_at < clock_timestamp() - interval '1 hour'
       order by number for update skip locked)`;

export const lockCommandsSql =
  "select number from plugin_commands where source = $1 order by number for update";

export const deleteCommandsSql = "delete from plugin_commands where source = $1";
