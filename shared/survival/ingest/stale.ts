import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import type { ControlClient } from "../../platform/bridge/calls/control.ts";
import { executeStatement, firstRow } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { SourceOwnership } from "../../platform/ingest/ownership.ts";
import { systemActor } from "../calls/call-rules.ts";
import { requestResyncCall } from "../calls/server-calls.ts";
import { stateFamilies } from "../kinds/kind.ts";

export async function markStatesStale(source: string, connection: SqlClient): Promise<void> {
  await executeStatement(connection, "update ingest_sources set stale = $2 where source = $1", [
    source,
    stateFamilies,
  ]);
}

const readSource = (source: string, connection: SqlClient) =>
  firstRow<Pick<IngestSource, "stale">>(
    connection,
    "select stale from ingest_sources where source = $1",
    [source],
  );

/** Requests stale states, which arrive over the socket. An answered request is not repeated. */
export async function requestStaleStates(
  control: ControlClient,
  owner: SourceOwnership,
): Promise<boolean> {
  const { source, fence } = owner;
  const known = await owner.run((connection) => readSource(source, connection));
  if (!known || known.stale.length === 0) return false;
  await control.command(
    requestResyncCall,
    { actor: systemActor },
    { body: { families: known.stale } },
  );
  await owner.run((connection) =>
    executeStatement(
      connection,
      "update ingest_sources set stale = '{}' where source = $1 and fence = $2 and stale = $3",
      [source, fence, known.stale],
    ),
  );
  return false;
}
