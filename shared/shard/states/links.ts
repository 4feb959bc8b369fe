import type { Sql } from "../../db/sql.ts";
import { removeLinks, writeLinks } from "../links.ts";
import type { FedEvent } from "./fed-event.ts";

/** Moves the mirror of links, in order. A `webId` that is none of our users changes nothing. */
export async function applyLinks(events: readonly FedEvent[], sql: Sql): Promise<FedEvent[]> {
  for (const { frame, payload } of events) {
    const { acct, webId } = payload as { acct: string; webId?: number | null };
    if (frame.kind === "account.unlinked") await removeLinks([acct], sql);
    else if (typeof webId === "number") {
      await writeLinks([{ account: acct, userId: webId, linkedAt: frame.t }], sql);
    }
  }
  return [];
}
