import type { Transaction } from "sequelize";

import type { Push } from "../../models/push/push.ts";
import type { Context } from "../platform/context.ts";
import { rows } from "../platform/db/rows.ts";
import { undoneAlone } from "../platform/db/savepoint.ts";
import type { Sql } from "../platform/db/sql.ts";
import { emitTriggers, type Happened } from "./emit-triggers.ts";
import { newsMs, type PushStream } from "./streams.ts";

/** What a change tells other domains. The change names no listener. */
export interface Facts {
  /** Rows of `pushes`, which push messages and webhooks are made from; or a function that reads them. */
  readonly announcements?:
    | readonly Announcement[]
    | (() => Promise<readonly Announcement[]>)
    | undefined;
  /** Rows of `event_news`, which phases of event runs wait for. */
  readonly triggers?:
    | { readonly source: string; readonly happened: readonly Happened[] }
    | undefined;
}

interface Telling {
  /** The transaction of the change: what is rolled back was never told. */
  readonly within: Sql | Transaction;
  readonly context: Pick<Context, "queue" | "log">;
}

/**
 * Stores what a change tells. Call it last in a transaction, because triggers lock the row of their
 * source until the transaction ends.
 * @returns false when the announcements could not be stored. The change stands, and the fault is logged.
 */
export async function tell(
  { announcements = [], triggers }: Facts,
  { within, context }: Telling,
): Promise<boolean> {
  const isAnnounced = await announce(announcements, within, context);
  if (triggers) await emitTriggers(triggers.happened, { source: triggers.source, within, context });
  return isAnnounced;
}

/** Something that happened, for everybody who wants its stream or for one user. */
export interface Announcement {
  readonly stream: PushStream;
  /** What the message names. */
  readonly ref: string;
  /** Two announcements of a stream with the same key are one, for as long as pushes are kept. */
  readonly key: string;
  /** Whom it is for, where the stream is personal. */
  readonly userId?: number;
  /** The event of the shard that it tells of. */
  readonly shardEventId?: number;
  /** Epoch milliseconds; without it, now. */
  readonly happenedAt?: number;
}

/**
 * Has announcements dispatched once the transaction has committed: each once, and none that is too
 * old. A failure here, or of what reads them, is logged and undone alone, because no producer may fail
 * for its announcement.
 * @returns false when there was one
 */
export async function announce(
  announcements: readonly Announcement[] | (() => Promise<readonly Announcement[]>),
  within: Transaction | Sql,
  context: Pick<Context, "queue" | "log">,
): Promise<boolean> {
  if (announcements.length === 0 && typeof announcements !== "function") return true;
  try {
    await undoneAlone(within, async () => {
      const read = typeof announcements === "function" ? await announcements() : announcements;
      if (read.length === 0) return;
      const pushed = await insertPushes(read, within);
      const orders = pushed.map(({ id }) => ({ pushId: id }));
      await context.queue.enqueueAll("push.dispatch", orders, within);
    });
    return true;
  } catch (error) {
    context.log.error({ err: error }, "announcements are not dispatched");
    return false;
  }
}

/**
 * By the database's clock: a time ahead of it counts as now. A user who is being deleted is waited for:
 * what is told to others may not fail of one who is gone by then.
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
  within: Transaction | Sql,
): Promise<Pick<Push, "id">[]> =>
  rows<Pick<Push, "id">>(within, statement, [
    announcements.map(({ stream }) => stream),
    announcements.map(({ ref }) => ref),
    announcements.map(({ key }) => key),
    announcements.map(({ userId = null }) => userId),
    announcements.map(({ happenedAt = null }) => happenedAt),
    announcements.map(({ stream }) => newsMs(stream)),
    announcements.map(({ shardEventId = null }) => shardEventId),
  ]);
