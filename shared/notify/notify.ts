import type { Transaction } from "sequelize";

import { rows } from "../db/rows.ts";
import type { Sql } from "../db/sql.ts";
import type { Channel, Channels } from "./channels.ts";

/** Tells every process that listens on the channel, once the transaction has committed. */
export async function notify<C extends Channel>(
  channel: C,
  payload: Channels[C],
  transaction: Transaction | Sql,
): Promise<void> {
  await rows(transaction, "select pg_notify($1, $2)", [channel, JSON.stringify(payload)]);
}
