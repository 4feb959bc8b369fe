import { QueryTypes } from "sequelize";

import { readShardlink } from "../../shard/shardlink.ts";
import { type Check, fault, ok, skipped } from "./check.ts";

interface SourceRow {
  readonly state: string;
  readonly reason: string | null;
  readonly owner: string | null;
  readonly lastEventAt: Date | null;
}

/** Whether the ingest process has the shard's event stream. */
export const streamCheck: Check = {
  name: "stream",
  async run({ sequelize }) {
    const link = await readShardlink(sequelize);
    if (!link.enabled) return skipped("the link to the shard is off");
    const [row] = await sequelize.query<SourceRow>(
      `select state, reason, owner, last_event_at as "lastEventAt"
       from ingest_sources where source = 'shard'`,
      { type: QueryTypes.SELECT },
    );
    const { state = "unknown", reason = null, owner = null, lastEventAt = null } = row ?? {};
    if (state === "connected") {
      return ok(`held by ${owner}, last event ${lastEventAt?.toISOString() ?? "never"}`);
    }
    const why = reason === null ? state : `${state}: ${reason}`;
    return fault(why, "see the checks ingest and bridge; ingest tries again by itself");
  },
};
