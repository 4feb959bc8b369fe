import type { Sql } from "../../db/sql.ts";
import type { FedEvent } from "./fed-event.ts";

export async function applyMarket(_events: readonly FedEvent[], _sql: Sql): Promise<FedEvent[]> {
  return [];
}

export async function swapMarketSnapshot(_source: string, _sql: Sql): Promise<void> {}
