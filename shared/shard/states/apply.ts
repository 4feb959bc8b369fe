import type { Sql } from "../../db/sql.ts";
import { findKind } from "../kinds.ts";
import type { StateName } from "../kinds/kind.ts";
import type { FedEvent } from "./fed-event.ts";
import { applyKeyedState } from "./keyed-state.ts";
import { keyedStates } from "./keyed-states.ts";
import { applyLinks } from "./links.ts";
import { applyMarket } from "./market.ts";
import { applySingleState } from "./single-state.ts";
import { applySnapshotParts, isSnapshotFamily, isSnapshotPart, markTouched } from "./snapshots.ts";

/** Moves one state by its events, in their order. @returns those that changed nothing */
type Apply = (events: readonly FedEvent[], sql: Sql, source: string) => Promise<FedEvent[]>;

/** CATALOGUE: who moves a state. Presence also follows the connection, so it is not here. */
const appliers: Readonly<Record<Exclude<StateName, "presence">, Apply>> = {
  house: (events, sql) => applyKeyedState(keyedStates.house, events, sql),
  points: (events, sql) => applyKeyedState(keyedStates.points, events, sql),
  guild: (events, sql) => applyKeyedState(keyedStates.guild, events, sql),
  governor: (events, sql) => applyKeyedState(keyedStates.governor, events, sql),
  market: applyMarket,
  economy: (events, sql) => applySingleState("economy", events, sql),
  ruleset: (events, sql) => applySingleState("ruleset", events, sql),
  links: applyLinks,
};

/**
 * Moves the states by the new events of a batch.
 * @returns full-state upserts that brought nothing new
 */
export async function applyStates(
  source: string,
  events: readonly FedEvent[],
  sql: Sql,
): Promise<FedEvent[]> {
  const unchanged: FedEvent[] = [];
  const byState = Map.groupBy(events, ({ frame }) => findKind(frame.kind)?.feeds?.state);
  for (const [state, group] of byState) {
    if (!state || state === "presence") continue;
    unchanged.push(...(await applyState(source, state, group, sql)));
  }
  return unchanged;
}

/** A snapshot's parts and live events of one family take turns, in the order they came. */
async function applyState(
  source: string,
  state: Exclude<StateName, "presence">,
  events: readonly FedEvent[],
  sql: Sql,
): Promise<FedEvent[]> {
  const unchanged: FedEvent[] = [];
  for (const run of runsOf(events)) {
    if (run.every(isSnapshotPart)) {
      await applySnapshotParts(source, run, sql);
      continue;
    }
    unchanged.push(...(await appliers[state](run, sql, source)));
    if (isSnapshotFamily(state)) await markTouched(source, state, run, sql);
  }
  return unchanged;
}

function runsOf(events: readonly FedEvent[]): FedEvent[][] {
  const runs: FedEvent[][] = [];
  for (const event of events) {
    const last = runs.at(-1)?.at(-1);
    if (last && isSnapshotPart(last) === isSnapshotPart(event)) runs.at(-1)?.push(event);
    else runs.push([event]);
  }
  return runs;
}
