import type { Context } from "../../platform/context.ts";
import { inSavepoint } from "../../platform/db/savepoint.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { enqueueUnlinking } from "../links/unlinking.ts";
import { findStateEffect, type StateEvent } from "../states/state-event.ts";

/**
 * Removes links that the shard created after their user was deleted here. If this fails, only this step is rolled
 * back and the error is logged: ingest must not fail, and the next list of links contains the links again.
 */
export async function removeLinksOfDeletedUsers(
  events: readonly StateEvent[],
  connection: SqlClient,
  { queue, log }: Pick<Context, "queue" | "log">,
): Promise<void> {
  const links = events.flatMap((event) => {
    const { state, as } = findStateEffect(event) ?? {};
    const { webId: userId } = event.payload;
    return state === "links" && as !== "remove" && typeof userId === "number" ? [{ userId }] : [];
  });
  if (links.length === 0) return;
  try {
    await inSavepoint(connection, () => enqueueUnlinking(links, connection, { queue }));
  } catch (error) {
    log.error({ err: error }, "the removal of links to deleted users could not be enqueued");
  }
}
