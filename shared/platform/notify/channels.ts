import { type Database, rows } from "../db/rows.ts";

/** The notification is all there is to say. */
type NoDetail = Readonly<Record<string, never>>;

/** What the event streams tell beside stored events: sent once to who is there, and not kept. */
export type NoticeName = "job.progress" | "event.run" | "event.step";

/**
 * CATALOGUE of NOTIFY channels and what each carries. A payload is a hint (ids, never rows):
 * NOTIFY takes less than 8,000 bytes, and a listener that was away reads by its own cursor.
 */
export interface Channels {
  /** New rows of `shard_events`, up to this id. */
  shard_events: { readonly lastId: number };
  /** The configuration of the link to the shard was saved. */
  shardlink_config: NoDetail;
  /** A survival server was made, changed or deleted: what ingest takes in follows within a second. */
  survival_servers: { readonly serverId: number };
  /**
   * Where players are on a survival server, a part of a frame: the one payload that is no hint, since
   * nothing of it is stored. Whoever missed it has the next frame.
   */
  survival_live: {
    readonly serverId: number;
    /** The game process, and the world that it had loaded. */
    readonly bootId: string | null;
    readonly saveId: number | null;
    readonly frame: string;
    /** From 1 to `pages`. */
    readonly page: number;
    readonly pages: number;
    readonly text: string;
  };
  /** A plugin said hello or sent events: the owner of the source reads its inbox. */
  plugin_inbox: { readonly source: string };
  /** A command waits for the plugin, a newer wait began, or the plugin's keys or link changed. */
  plugin_calls: { readonly source: string };
  /** A command has its outcome, or is lost. */
  plugin_outcomes: { readonly ids: readonly string[] };
  /** The site was opened, closed or put into maintenance. */
  site_mode: NoDetail;
  /** A setting of the page of settings was changed. */
  settings: NoDetail;
  /** What each audience may see of the shard or of survival servers was changed. */
  visibility: NoDetail;
  /** A user's sessions were revoked; `tokenId` or `familyId` when it was one session alone. */
  auth_revoked: {
    readonly userId: number;
    readonly tokenId?: string;
    readonly familyId?: number;
    /** An API token that the user made; the user's sessions live on. */
    readonly apiTokenId?: number;
  };
  /** A queue was paused or resumed. */
  paused_queues: NoDetail;
  /** An import has its result. */
  import_finished: { readonly jobId: string };
  /** A run was changed, and these of its steps. */
  event_changes: { readonly runId: number; readonly stepIds: readonly number[] };
  /** A notice for the event streams that carry its name; `data` stays far below 8,000 bytes. */
  stream_notices: { readonly name: NoticeName; readonly data: object };
  /** The answer to a process that asks whether its LISTEN connection still hears. */
  echo: { readonly to: string };
}
export type Channel = keyof Channels;

/** Tells every process that listens on the channel, once the transaction, if any, has committed. */
export async function notify<C extends Channel>(
  channel: C,
  payload: Channels[C],
  database: Database,
): Promise<void> {
  await rows(database, "select pg_notify($1, $2)", [channel, JSON.stringify(payload)]);
}
