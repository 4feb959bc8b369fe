import { type Database, rows } from "../db/rows.ts";
import type { Channel, Channels } from "./channels.ts";

/** Tells every process that listens on the channel, once the transaction, if any, has committed. */
export async function notify<C extends Channel>(
  channel: C,
  payload: Channels[C],
  database: Database,
): Promise<void> {
  await rows(database, "select pg_notify($1, $2)", [channel, JSON.stringify(payload)]);
}
