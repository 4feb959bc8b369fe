import type { Transaction } from "sequelize";

import type { Push } from "../../models/push/push.ts";
import type { Context } from "../platform/context.ts";
import { rows } from "../platform/db/rows.ts";
import { inSavepoint } from "../platform/db/savepoint.ts";
import type { SqlClient } from "../platform/db/sql.ts";
import { emitTriggers, type TriggerOccurrence } from "./emit-triggers.ts";
import { announcementTtlMs, type PushStream } from "./streams.ts";

/**
 * Facts that a change reports to other domains. The reporting domain has no reference to the domains that use the
 * facts.
 */
export interface DomainFacts {
  /** Announcements, or a function that reads them. They become push messages and webhooks. */
  readonly announcements?:
    | readonly Announcement[]
    | (() => Promise<readonly Announcement[]>)
    | undefined;
  /** Rows of `event_news`, for which phases of event runs wait. */
  readonly triggers?:
    | { readonly source: string; readonly happened: readonly TriggerOccurrence[] }
    | undefined;
}

interface PublishContext {
  /** The transaction of the change. A rollback also removes its facts. */
  readonly within: SqlClient | Transaction;
  readonly context: Pick<Context, "queue" | "log">;
}

/**
 * Stores the facts of a change. Call it last in a transaction, because triggers lock their source.
 * @returns false if the announcements could not be stored; the error is logged and the change is still
 * committed
 */
export async function publishFacts(
  { announcements = [], triggers }: DomainFacts,
  { within, context }: PublishContext,
): Promise<boolean> {
  const isAnnounced = await storeAnnouncements(announcements, within, context);
  if (triggers) await emitTriggers(triggers.happened, { source: triggers.source, within, context });
  return isAnnounced;
}

/** A message for the subscribers of a stream, or for one user. */
export interface Announcement {
  readonly stream: PushStream;
  /** The id or name of the object that the message is about. */
  readonly ref: string;
  /** Deduplicates: a stream ignores an announcement whose key is among its stored pushes. */
  readonly key: string;
  readonly userId?: number;
  readonly shardEventId?: number;
  /** Epoch milliseconds. The default is now. */
  readonly happenedAt?: number;
}

/**
 * Stores announcements, to be dispatched after the commit. Skips duplicates and expired ones.
 * @returns false after an error, which is logged and rolled back alone, so that it does not fail the
 * producer
 */
export async function storeAnnouncements(
  announcements: readonly Announcement[] | (() => Promise<readonly Announcement[]>),
  within: Transaction | SqlClient,
  context: Pick<Context, "queue" | "log">,
): Promise<boolean> {
  if (announcements.length === 0 && typeof announcements !== "function") return true;
  try {
    await inSavepoint(within, async () => {
      const read = typeof announcements === "function" ? await announcements() : announcements;
      if (read.length === 0) return;
      const pushed = await insertPushes(read, within);
      const orders = pushed.map(({ id }) => ({ pushId: id }));
      await context.queue.enqueueAll("push.dispatch", orders, within);
    });
    return true;
  } catch (error) {
    context.log.error(
      { err: error },
      "announcements could not be stored: no push message or webhook message is sent for them",
    );
    return false;
  }
}

/**
 * A time in the future is replaced by the database's current time. The lock on users waits for a concurrent
 * deletion of a user, so that a deleted recipient does not fail the messages to others.
 */
const statement = {
  name: "insert pushes",
  text: `
  with held as (
    select id from users where id = any($4::integer[]) order by id for key share
  )
  insert into pushes (stream, ref, event_key, user_id, shard_event_id, expires_at)
  select stream, ref, key, user_id, shard_event_id,
    clock_timestamp() + make_interval(secs => news_ms / 1000)
  from unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::float8[], $6::float8[], $7::bigint[])
    as given (stream, ref, key, user_id, happened_ms, news_ms, shard_event_id)
  where (user_id is null or user_id in (select id from held))
    and (happened_ms is null
      or happened_ms > extract(epoch from clock_timestamp()) * 1000 - news_ms)
  on conflict (stream, event_key) do nothing
  returning id`,
};

const insertPushes = (
  announcements: readonly Announcement[],
  within: Transaction | SqlClient,
): Promise<Pick<Push, "id">[]> =>
  rows<Pick<Push, "id">>(within, statement, [
    announcements.map(({ stream }) => stream),
    announcements.map(({ ref }) => ref),
    announcements.map(({ key }) => key),
    announcements.map(({ userId = null }) => userId),
    announcements.map(({ happenedAt = null }) => happenedAt),
    announcements.map(({ stream }) => announcementTtlMs(stream)),
    announcements.map(({ shardEventId = null }) => shardEventId),
  ]);
