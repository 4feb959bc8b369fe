import type { Transaction } from "sequelize";

import type { Context } from "../platform/context.ts";
import type { Sql } from "../platform/db/sql.ts";
import { announce, type Announcement } from "./announce.ts";
import { emitTriggers, type Happened } from "./triggers/emit-triggers.ts";

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
