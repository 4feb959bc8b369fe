import type { SocketStatus } from "../../bridge/socket-options.ts";
import type { SocketStats } from "../../bridge/socket.ts";
import type { Ownership } from "../../ingest/ownership.ts";

export interface LinkReport {
  readonly status: SocketStatus;
  readonly stats: SocketStats;
  /** Duplicates that the socket dropped since the last report. */
  readonly duplicates: number;
  readonly hello: object | null;
}

/** Writes how the link stands, for every process that is asked. */
export async function reportLink(owner: Ownership, report: LinkReport): Promise<void> {
  const { status, stats, duplicates, hello } = report;
  await owner.use((sql) =>
    sql.query(
      `update ingest_sources set state = $3, reason = $4, plugin_connected = $5,
         last_ack_at = coalesce($6, last_ack_at), received = received + $7,
         duplicates = duplicates + $7,
         hello = coalesce($8, hello)
       where source = $1 and fence = $2`,
      [
        owner.source,
        owner.fence,
        status.state,
        status.reason,
        status.pluginConnected,
        stats.lastAckAt,
        duplicates,
        hello && JSON.stringify(hello),
      ],
    ),
  );
}
