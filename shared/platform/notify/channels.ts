import { type Database, rows } from "../db/rows.ts";

type NoPayload = Readonly<Record<string, never>>;

/**
 * Messages of the event streams that are not stored: only clients that are connected at the time receive them.
 */
export type StreamMessageName = "job.progress" | "event.run" | "event.step";

/**
 * CATALOGUE of NOTIFY channels. A payload is a hint (ids, never rows), because it must be below 8,000 bytes. A
 * listener that missed notifications reads all rows after its own cursor.
 */
export interface Channels {
  /** There are new rows of `shard_events`, up to this id. */
  shard_events: { readonly lastId: number };
  /** The configuration of the link to the shard was saved. */
  shardlink_config: NoPayload;
  /** There are new events in the feed of a server, up to this id of `survival_events`. */
  survival_events: { readonly serverId: number; readonly lastId: number };
  /** The state of a survival server changed. `chat`: staff hid or showed one of its chat messages. */
  survival_states: { readonly serverId: number; readonly chat?: true };
  /** A survival server was created, changed or deleted. Ingest applies it within a second. */
  survival_servers: { readonly serverId: number };
  /**
   * One page of a frame of player positions. It contains the data itself, because positions are not
   * stored. A listener that missed it waits for the next frame.
   */
  survival_live: {
    readonly serverId: number;
    /** The id of the game process. `saveId` is the world that it had loaded. */
    readonly bootId: string | null;
    readonly saveId: number | null;
    readonly frame: string;
    /** From 1 to `pages`. */
    readonly page: number;
    readonly pages: number;
    readonly text: string;
  };
  /** A plugin has sent a hello or events. The owner of the source reads the inbox. */
  plugin_inbox: { readonly source: string };
  /** A command waits for the plugin, a newer long poll began, or the plugin's keys or link changed. */
  plugin_calls: { readonly source: string };
  /** A command has an outcome or is lost. */
  plugin_outcomes: { readonly ids: readonly string[] };
  site_mode: NoPayload;
  settings: NoPayload;
  visibility: NoPayload;
  /** All sessions of a user were revoked, or only the session of `tokenId` or `familyId`. */
  auth_revoked: {
    readonly userId: number;
    readonly tokenId?: string;
    readonly familyId?: number;
    /** Set if only an API token of the user was revoked. The user's sessions stay valid. */
    readonly apiTokenId?: number;
  };
  paused_queues: NoPayload;
  import_finished: { readonly jobId: string };
  event_changes: { readonly runId: number; readonly stepIds: readonly number[] };
  /** A message for event streams. `data` must stay far below 8,000 bytes. */
  stream_notices: { readonly name: StreamMessageName; readonly data: object };
  /** The reply to a process that tests its own LISTEN connection. */
  echo: { readonly to: string };
}
export type Channel = keyof Channels;

/** Sends a notification. In a transaction, it is sent after the commit. */
export async function notify<C extends Channel>(
  channel: C,
  payload: Channels[C],
  database: Database,
): Promise<void> {
  await rows(database, "select pg_notify($1, $2)", [channel, JSON.stringify(payload)]);
}
