/** As ingest names a survival server in `ingest_sources` and `rejected_frames`. */
export const sourceNameOf = (serverId: number): string => `survival:${serverId}`;
