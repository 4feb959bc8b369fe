import type { Sql } from "../../db/sql.ts";
import { removeLinks, writeLinks } from "../links.ts";
import type { FedEvent } from "./fed-event.ts";

/** Moves the mirror of links, in order. One to a user who is none of ours is counted alone. */
export async function applyLinks(
  events: readonly FedEvent[],
  sql: Sql,
  source: string,
): Promise<FedEvent[]> {
  let unknown = 0;
  for (const { frame, payload } of events) {
    const { acct, webId } = payload as { acct: string; webId?: number | null };
    if (frame.kind === "account.unlinked") await removeLinks([acct], sql);
    else if (typeof webId === "number") {
      unknown += await writeLinks([{ account: acct, userId: webId, linkedAt: frame.t }], sql);
    }
  }
  if (unknown > 0) await countUnknown(source, unknown, sql);
  return [];
}

async function countUnknown(source: string, links: number, sql: Sql): Promise<void> {
  await sql.query(
    "update ingest_sources set unknown_links = unknown_links + $2 where source = $1",
    [source, links],
  );
}
