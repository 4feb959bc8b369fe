import type { Sequelize, Transaction } from "sequelize";

import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventTriggerHit } from "../../../models/events/event-trigger-hit.ts";
import type { TriggerEvent } from "../../../models/events/trigger-event.ts";
import { executeStatement, rows } from "../../platform/db/rows.ts";
import type { RunMetadata } from "./lock-run.ts";
import {
  deleteOldGateEventsSql,
  insertTriggerHitsSql,
  selectGateEventsSql,
  selectRunsWithUnreadEventsSql,
} from "./runs.sql.ts";

/** An event that a gate may count. */
export type GateEvent = Pick<TriggerEvent, "source" | "number" | "eventKey" | "t" | "variables">;

/** Days for which trigger events are kept. Runs read them within seconds. */
const retentionDays = 7;

/** Returns the runs with unread events of the trigger that their gate waits for. */
export async function findRunsWithUnreadEvents(
  sequelize: Sequelize,
  limit: number,
): Promise<number[]> {
  const found = await rows<Pick<EventRun, "id">>(sequelize, selectRunsWithUnreadEventsSql, [limit]);
  return found.map(({ id }) => id);
}

interface ReadPosition extends Pick<RunMetadata, "heard" | "scope"> {
  readonly trigger: string;
}

/** Returns unread events in storage order; the events of one source keep their order. */
export const readGateEvents = (
  { trigger, heard, scope }: ReadPosition,
  transaction: Transaction,
): Promise<GateEvent[]> =>
  rows<GateEvent>(transaction, selectGateEventsSql, [trigger, JSON.stringify(heard), scope]);

/** Returns the highest event number of each source. */
export const lastEventNumbersOf = (news: readonly GateEvent[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(news, ({ source }) => source)].map(([source, own]) => [
      source,
      Math.max(...own.map(({ number }) => number)),
    ]),
  );

interface CountedPage {
  /** Number of events that the gate still needs. Events beyond this number are not counted. */
  readonly most: number;
  readonly runId: number;
  readonly phase: string;
  /** The last event number that the run has read, by source. */
  readonly heard: Readonly<Record<string, number>>;
}

type Hit = Pick<GateEvent, "source" | "eventKey" | "variables">;

/** Counts events for the gate of a phase, each once, and stores the run's read position. */
export const insertTriggerHits = (
  { runId, phase, heard, most }: CountedPage,
  hits: readonly Hit[],
  transaction: Transaction,
): Promise<Pick<EventTriggerHit, "variables">[]> =>
  rows<Pick<EventTriggerHit, "variables">>(transaction, insertTriggerHitsSql, [
    runId,
    phase,
    JSON.stringify(heard),
    hits.map(({ source }) => source),
    hits.map(({ eventKey }) => eventKey),
    hits.map(({ variables }) => JSON.stringify(variables)),
    most,
  ]);

/** Deletes events that are so old that every run has read them. */
export const deleteOldGateEvents = (sequelize: Sequelize): Promise<number> =>
  executeStatement(sequelize, deleteOldGateEventsSql, [retentionDays]);
