import { parseSerialNumber } from "../../platform/bridge/serial.ts";
import { firstRow, rows } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { analyzeNewMarket, replaceMarket } from "../market/snapshot.ts";
import type { VendorUpsert } from "../market/vendor-state.ts";
import { withMarketWriter } from "../market/writer.ts";
import type { PayloadFields } from "../visibility/view.ts";
import type { StateHandler } from "./handler.ts";
import { splitStateEvents } from "./rounds.ts";
import {
  findStateEffect,
  type StateEventReach,
  hideStateEvent,
  type StateEvent,
} from "./state-event.ts";

export const marketHandler: StateHandler = {
  apply: applyMarket,
  snapshot: { keyOf, swap: swapStaged },
};

/** Returns the serial of the vendor. An upsert holds the vendor, a removal only its serial. */
function keyOf(payload: PayloadFields): string {
  const vendor = payload["vendor"] as { serial: string } | undefined;
  return vendor?.serial ?? (payload["serial"] as string);
}

const rules = {
  keyOf: ({ payload }: StateEvent) => keyOf(payload),
  operationOf: (event: StateEvent) => findStateEffect(event)?.as,
  mayRepeat: true,
};

/** @returns the upserts that changed nothing, so no stream carries them */
async function applyMarket(
  events: readonly StateEvent[],
  connection: SqlClient,
): Promise<StateEventReach[]> {
  const reached: StateEventReach[] = [];
  await withMarketWriter(connection, async (writer) => {
    for (const { operation, events: round } of splitStateEvents(events, rules)) {
      if (operation === "remove") await writer.remove(round.map(removedSerial));
      else {
        const isChanged = await writer.upsert(round.map(upsertOf));
        reached.push(...round.filter((_event, at) => !isChanged[at]).map(hideStateEvent));
      }
    }
  });
  await analyzeNewMarket(events.length - reached.length, connection);
  return reached;
}

const removedSerial = ({ payload }: StateEvent): number => parseSerialNumber(keyOf(payload));

const upsertOf = ({ payload }: StateEvent): VendorUpsert => payload as VendorUpsert;

/** Replaces the market with the staged snapshot, with one page in memory at a time. */
async function swapStaged(source: string, connection: SqlClient): Promise<void> {
  const touched = await rows<{ key: string }>(
    connection,
    "select key from snapshot_touched where source = $1 and family = 'market'",
    [source],
  );
  const keys = new Set(touched.map(({ key }) => key));
  await replaceMarket(stagedRows(source, connection), keys, connection);
}

async function* stagedRows(source: string, connection: SqlClient): AsyncGenerator<VendorUpsert> {
  for (let page = 1; ; page++) {
    const staged = await firstRow<{ rows: VendorUpsert[] }>(
      connection,
      "select rows from snapshot_pages where source = $1 and family = 'market' and page = $2",
      [source, page],
    );
    if (!staged) return;
    yield* staged.rows;
  }
}
