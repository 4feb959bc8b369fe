import { lockSourceSql } from "./lock-order.ts";
import { pluginLimits } from "./plugin-limits.ts";

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

export const selectFirstSql = `
  select id, digest, state = 'taken'
      and answer_before < clock_timestamp() - interval '${pluginLimits.lostMinutes} minutes'
      as "isOver"
  from plugin_commands where source = $1 and key = $2
    and (state in ('waiting', 'taken') or (state = 'answered' and status between 200 and 299))`;

export const markOverdueSql =
  "update plugin_commands set state = 'lost', loss = 'overdue' where id = $1 and state = 'taken'";

export const selectCommandSql = {
  name: "plugin_command_read",
  text: "select state, loss, status, outcome from plugin_commands where id = $1::uuid",
};

export const withdrawSql = "delete from plugin_commands where id = $1 and state = 'waiting'";
export const deleteReadSql = "delete from plugin_commands where id = $1 and state <> 'waiting'";
export const dropOutcomeSql =
  "update plugin_commands set kept_for = 'nobody', outcome = null where id = $1 and kept_for = 'caller'";
