import type { Context } from "../../platform/context.ts";
import { undoneAlone } from "../../platform/db/savepoint.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { orderUnlinking } from "../links/unlinking.ts";
import { feedOf, type StateEvent } from "../states/state-event.ts";

/**
 * A link may be made on the shard after its user was deleted here. A fault of undoing it is logged and
 * undone by itself: the next list of links brings it again, and ingest may not fail of it.
 */
export async function unlinkDeleted(
  events: readonly StateEvent[],
  connection: Sql,
  { queue, log }: Pick<Context, "queue" | "log">,
): Promise<void> {
  const links = events.flatMap((event) => {
    const { state, as } = feedOf(event) ?? {};
    const { webId: userId } = event.payload;
    return state === "links" && as !== "remove" && typeof userId === "number" ? [{ userId }] : [];
  });
  if (links.length === 0) return;
  try {
    await undoneAlone(connection, () => orderUnlinking(links, connection, { queue }));
  } catch (error) {
    log.error({ err: error }, "a link to a deleted user is not undone");
  }
}
