import type { Sql } from "../../db/sql.ts";
import { removeVendors } from "../market/remove.ts";
import { swapMarket } from "../market/snapshot.ts";
import { upsertVendors } from "../market/upsert.ts";
import type { VendorUpsert } from "../market/vendor-state.ts";
import type { FedEvent } from "./fed-event.ts";
import { roundsOf } from "./rounds.ts";

/** Moves the market by the events, in their order. @returns upserts that brought nothing new */
export async function applyMarket(events: readonly FedEvent[], sql: Sql): Promise<FedEvent[]> {
  const unchanged: FedEvent[] = [];
  for (const { operation, events: round } of roundsOf(events, sorting)) {
    if (operation === "vendor.removed") await remove(round, sql);
    else unchanged.push(...(await upsert(round, sql)));
  }
  return unchanged;
}

const sorting = {
  keyOf: ({ payload }: FedEvent) =>
    (payload["vendor"] as { serial: string } | undefined)?.serial ?? payload["serial"],
  operationOf: ({ frame }: FedEvent) => frame.kind,
  repeats: true,
};

const remove = (events: readonly FedEvent[], sql: Sql): Promise<void> =>
  removeVendors(
    events.map(({ payload }) => payload["serial"] as string),
    sql,
  );

async function upsert(events: readonly FedEvent[], sql: Sql): Promise<FedEvent[]> {
  const upserts = events.map(({ payload }) => payload as unknown as VendorUpsert);
  const saidNew = await upsertVendors(upserts, sql);
  return events.filter((_event, place) => !saidNew[place]);
}

/** Swaps a whole staged snapshot in, one page in memory at a time. */
export async function swapMarketSnapshot(source: string, sql: Sql): Promise<void> {
  const { rows } = await sql.query<{ key: string }>(
    "select key from snapshot_touched where source = $1 and family = 'market'",
    [source],
  );
  await swapMarket(stagedRows(source, sql), new Set(rows.map(({ key }) => key)), sql);
}

async function* stagedRows(source: string, sql: Sql): AsyncGenerator<VendorUpsert> {
  for (let page = 1; ; page++) {
    const { rows } = await sql.query<{ rows: VendorUpsert[] }>(
      "select rows from snapshot_pages where source = $1 and family = 'market' and page = $2",
      [source, page],
    );
    if (!rows[0]) return;
    yield* rows[0].rows;
  }
}
