import type { ShardEvent } from "../../../models/shard/shard-event.ts";
import type { Context } from "../../platform/context.ts";
import { deleteInBatches, rows } from "../../platform/db/rows.ts";
import type { ShardContext } from "../context.ts";

/** Deletes events past the retention of their kind, in slices. @returns the number of deleted events */
export async function pruneEvents(context: ShardContext): Promise<{ deleted: number }> {
  const { config, sequelize } = context;
  const ages: Record<Retention, number> = {
    chatty: config.EVENT_RETENTION_CHATTY,
    long: config.EVENT_RETENTION_LONG,
    normal: config.EVENT_RETENTION,
  };
  let deleted = 0;
  for (const kind of await storedKinds(context)) {
    const seconds = ages[retentionOf(kind)] / 1000;
    deleted += await deleteInBatches(pruneKind, [kind, seconds], sequelize);
  }
  return { deleted };
}

/** Reads the distinct kinds by one index lookup per kind; a plain `distinct` would read every row. */
async function storedKinds({ sequelize }: Context): Promise<string[]> {
  const kinds = await rows<Pick<ShardEvent, "kind">>(
    sequelize,
    `with recursive hop as (
       (select kind from shard_events order by kind limit 1)
       union all
       select (select kind from shard_events where kind > hop.kind order by kind limit 1)
       from hop where hop.kind is not null)
     select kind from hop where kind is not null`,
  );
  return kinds.map(({ kind }) => kind);
}

/** Reads only the oldest rows of the kind; ids grow with time, so all others are younger. */
const pruneKind = `delete from shard_events where id = any(array(
    select id from (
      select id, created_at from shard_events where kind = $1 order by id limit $3) oldest
    where created_at < now() - make_interval(secs => $2)))`;

type Retention = "chatty" | "long" | "normal";

/** Returns the retention of a kind, by the kind's name only, so that kinds of newer plugins have one too. */
export function retentionOf(kind: string): Retention {
  if (kind.startsWith("presence.") || kind === "server.heartbeat") return "chatty";
  if (kind.startsWith("account.") || ["admin.audit", "vendor.sale"].includes(kind)) return "long";
  return "normal";
}
