/** As ingest names a survival server in `ingest_sources` and `rejected_frames`. */
export const sourceNameOf = (serverId: number): string => `survival:${serverId}`;

/** The same as SQL. @param serverId the SQL of the server's id */
export const sourceNameSql = (serverId: string): string => `'survival:' || ${serverId}`;
