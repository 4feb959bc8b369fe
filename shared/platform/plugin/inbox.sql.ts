import { createNamedStatement } from "../db/named-statements.ts";
import { hasLiveKeySql, isKeyUsableSql } from "./keys.sql.ts";
import { isLinkedByPluginSql, lockSourceSql } from "./sources.ts";

interface ReceivedCall {
  readonly source: string;
  readonly keyId: number;
  readonly bootId: string;
  readonly epoch: string;
  /** The first and the last `seq` of the call. */
  readonly first: number;
  readonly last: number;
  readonly events: number;
  readonly bytes: number;
  readonly content: string;
  /** Limits of a source's waiting events and bytes. If one is reached, this call is not stored. */
  readonly mostEvents: number;
  readonly mostBytes: number;
}

/** Stores a call whose events directly follow those of its session. Returns no row if it is not stored. */
export const storeCallSql = createNamedStatement<ReceivedCall>(
  "plugin_events_store",
  `
  with locked as materialized (${lockSourceSql(":source")}),
  waiting as (
    select coalesce(sum(greatest(events, 1)), 0) as events, coalesce(sum(bytes), 0) as bytes
    from plugin_inbox where source = :source),
  moved as (
    update plugin_sessions set seq = :last::bigint
    where source = (select source from locked) and boot_id = :bootId and epoch = :epoch
      and seq >= :first::bigint - 1 and seq < :last::bigint
      and ${isLinkedByPluginSql(":source")} and ${isKeyUsableSql(":keyId::bigint")}
      and (select waiting.events < :mostEvents::integer and waiting.bytes < :mostBytes::integer
        from waiting)
    returning seq),
  stored as (
    insert into plugin_inbox (source, kind, boot_id, epoch, events, bytes, content)
    select :source, 'events', :bootId, :epoch, :events::integer, :bytes::integer, :content from moved
    returning id)
  select id, pg_notify('plugin_inbox', json_build_object('source', :source::text)::text) from stored`,
);

/** Reads the session, to find out why a call was not stored. */
export const selectSessionSql = `
  select ${isLinkedByPluginSql("$1")} as "isLinked", boot_id as "bootId", epoch, seq,
    former_boots as "formerBoots"
  from plugin_sessions where source = $1`;

export const selectInboxCallsSql = {
  name: "plugin_inbox_read",
  text: `
  select id, kind, boot_id as "bootId", epoch, bytes, content from plugin_inbox
  where source = $1 and id > $2 order by id limit $3`,
};

export const selectNewestInboxIdSql =
  "select coalesce(max(id), 0) as id from plugin_inbox where source = $1";

/**
 * Deletes the rows from one id to another, and older hellos. Keeps the newest hello, which the next owner of the source
 * needs. The lower bound spares the index entries of rows that were deleted while an old snapshot needs them.
 */
export const deleteCallsSql = {
  name: "plugin_inbox_delete",
  text: `
  with hellos as materialized (
    select id from plugin_inbox where source = $1 and kind = 'hello' and id <= $3)
  delete from plugin_inbox
  where id in (
      select id from plugin_inbox where source = $1 and id between $2 and $3
      union select id from hellos)
    and id is distinct from (select max(id) from hellos)`,
};

/** Reads the state of a source's plugin, as `PluginState`. */
export const selectPluginStateSql = {
  name: "plugin_state",
  text: `
  select ${hasLiveKeySql("given.source")} as "hasKey", session.boot_id as "bootId",
    coalesce(session.alive_until > clock_timestamp(), false) as "isAlive",
    session.heard_at as "heardAt", session.refusal
  from (select $1::text collate "C" as source) given left join plugin_sessions session using (source)`,
};

export const selectUnreadCallsSql =
  "select 1 as unread from plugin_inbox where source = $1 and kind = 'events' limit 1";

/** Reads metrics of all plugins, as `PluginCounts`. */
export const countPluginsSql = `
  select
    (select coalesce(sum(events), 0)::integer from plugin_inbox) as "waitingEvents",
    (select count(*)::integer from plugin_commands where state = 'waiting') as waiting,
    (select count(*)::integer from plugin_commands where state = 'taken') as taken,
    (select count(*)::integer from plugin_sessions where alive_until > clock_timestamp()) as connected`;

export const queueHelloSql = `with repeated as (
       delete from plugin_inbox
       where id = (select max(id) from plugin_inbox where source = $1) and kind = 'hello')
     insert into plugin_inbox (source, kind, boot_id, epoch, events, bytes, content)
     values ($1, 'hello', $2, $3, 0, $4, $5)`;

export const deleteInboxSql = "delete from plugin_inbox where source = $1";
