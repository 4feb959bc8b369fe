import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import type { SocketStatus } from "../bridge/socket/socket-options.ts";
import type { SocketStats } from "../bridge/socket/socket.ts";
import { firstRow } from "../db/rows.ts";
import type { SqlClient } from "../db/sql.ts";
import type { SourceOwnership } from "./ownership.ts";
import { updateSourceStatusSql } from "./sources.sql.ts";

export interface LinkReport {
  readonly status: SocketStatus;
  readonly stats: SocketStats;
  readonly duplicates: number;
}

interface StoredReport extends Pick<IngestSource, "unknownLinks"> {
  /** True if the report changes the stored state of the link or of the game's connection. */
  readonly isOther: boolean;
}

/**
 * Stores the state of the link.
 * @param tellOther called if the state differs from the stored state
 * @returns the number of game account links to unknown users
 */
export async function storeLinkReport(
  owner: SourceOwnership,
  report: LinkReport,
  tellOther: (connection: SqlClient) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const { status, stats, duplicates } = report;
  return owner.run(async (connection) => {
    const stored = await firstRow<StoredReport>(connection, updateSourceStatusSql, [
      owner.source,
      owner.fence,
      status.state,
      status.reason,
      status.pluginConnected,
      stats.lastAckAt,
      duplicates,
    ]);
    if (stored?.isOther) await tellOther(connection);
    return stored?.unknownLinks ?? 0;
  });
}
