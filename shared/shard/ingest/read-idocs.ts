import type { House } from "../../../models/shard/house.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import { inSavepoint } from "../../platform/db/savepoint.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { CheckedEvent } from "../../platform/ingest/check-frames.ts";
import { findKind } from "../kinds/kinds.ts";

/**
 * Reads the serials of houses that are in danger of collapse (IDOC), before the given events change them. If
 * the query fails, it returns all houses of the events, so that no house is announced twice and the events are
 * still stored.
 */
export async function readIdocSerials(
  events: readonly Pick<CheckedEvent, "frame" | "payload">[],
  connection: SqlClient,
  { log }: Pick<Context, "log">,
): Promise<ReadonlySet<string>> {
  const asking = events.filter(
    ({ frame, payload }) => findKind(frame.kind)?.push?.needsFacts?.(payload) === true,
  );
  if (asking.length === 0) return new Set();
  const asked = asking.map(({ payload }) => String(payload["serial"]));
  try {
    const found = await inSavepoint(connection, () =>
      rows<Pick<House, "serial">>(connection, selectIdocs, [asked]),
    );
    return new Set(found.map(({ serial }) => serial));
  } catch (error) {
    log.error(
      { err: error },
      "stored houses could not be read: houses in danger of collapsing are not announced",
    );
    return new Set(asked);
  }
}

const selectIdocs = "select serial from houses where serial = any($1) and stage = 'IDOC'";
