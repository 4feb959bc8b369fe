import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import type { SocketStatus } from "../bridge/socket/socket-options.ts";
import type { SocketStats } from "../bridge/socket/socket.ts";
import { firstRow } from "../db/rows.ts";
import type { Ownership } from "./ownership.ts";
import { updateSourceStatusSql } from "./sources.sql.ts";

export interface LinkReport {
  readonly status: SocketStatus;
  readonly stats: SocketStats;
  readonly duplicates: number;
}

/** Stores the state of the link. @returns the number of game account links to unknown users */
export async function storeLinkReport(owner: Ownership, report: LinkReport): Promise<number> {
  const { status, stats, duplicates } = report;
  const reported = await owner.run((connection) =>
    firstRow<Pick<IngestSource, "unknownLinks">>(connection, updateSourceStatusSql, [
      owner.source,
      owner.fence,
      status.state,
      status.reason,
      status.pluginConnected,
      stats.lastAckAt,
      duplicates,
    ]),
  );
  return reported?.unknownLinks ?? 0;
}
