import { QueryTypes } from "sequelize";

import { ownerIsSilent } from "../../ingest/silence.ts";
import { readShardlink } from "../../shard/shardlink.ts";
import { ingestSilentSeconds } from "../../shard/status.ts";
import { type Check, fault, type Finding, ok, skipped } from "./check.ts";

interface SourceRow {
  readonly state: string;
  readonly reason: string | null;
  readonly owner: string | null;
  readonly lastEventAt: Date | null;
  /** Whether the process that owns the source is still at work. */
  readonly alive: boolean;
}

/** Whether the ingest process has the shard's event stream. */
export const streamCheck: Check = {
  name: "stream",
  async run({ sequelize }) {
    const link = await readShardlink(sequelize);
    if (!link.enabled) return skipped("the link to the shard is off");
    const [row] = await sequelize.query<SourceRow>(
      `select state, reason, owner, last_event_at as "lastEventAt",
         not ${ownerIsSilent("$1")} as alive
       from ingest_sources where source = 'shard'`,
      { bind: [ingestSilentSeconds], type: QueryTypes.SELECT },
    );
    if (!row) throw new Error("the source of the shard is missing");
    return findingOf(row);
  },
};

function findingOf({ state, reason, owner, lastEventAt, alive }: SourceRow): Finding {
  if (state === "connected" && alive) {
    return ok(`held by ${owner}, last event ${lastEventAt?.toISOString() ?? "never"}`);
  }
  if (state === "connected") return fault(`${owner} held it and fell silent`, "npm run ingest");
  const why = reason === null ? state : `${state}: ${reason}`;
  return fault(why, "see the checks ingest and bridge; ingest tries again by itself");
}
