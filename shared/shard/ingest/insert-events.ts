import { firstRow } from "../../platform/db/rows.ts";
import { jsonArraySql, wordArraySql } from "../../platform/db/sql-text.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { CheckedEvent } from "../../platform/ingest/check-frames.ts";
import type { FrameBatch, FrameInsertResult } from "../../platform/ingest/store-part.ts";
import { findDedupeRange } from "../event-partitions/dedupe-range.ts";
import { toEventRow } from "./event-row.ts";
import {
  storePlainEventsSql,
  storeEventsNearPartitionEndSql,
  storeEventsWithTriggersSql,
} from "./events.sql.ts";

/**
 * Stores the events of one transaction, all of one epoch, with the cursor and the counts. If `isPlain` is set,
 * the statement runs without a transaction: it also stores the events' rows in `event_news`, but stores nothing
 * if a run or a push needs one of the events.
 * @returns the ids, if any of the events concerns a live state, a waiting phase or a push
 */
export async function insertEvents(
  { owner, events, rejected, frames, cursor, isPlain }: FrameBatch,
  connection: SqlClient,
): Promise<FrameInsertResult | undefined> {
  const { epoch: cursorEpoch, seq: cursorSeq } = cursor ?? { epoch: null, seq: null };
  const back = await findDedupeRange(owner, events.length, connection);
  const toStore = (back ? dropRepeats(events) : events).map(toEventRow);
  const told = isPlain ? toStore.flatMap(({ trigger }) => trigger ?? []) : [];
  const accounts = isPlain ? toStore.flatMap(({ account }) => account ?? []) : [];
  const storing =
    told.length + accounts.length > 0 ? storeEventsWithTriggersSql : storePlainEventsSql;
  const statement = back ? storeEventsNearPartitionEndSql : storing;
  const values = {
    source: owner.source,
    fence: owner.fence,
    cursorEpoch,
    cursorSeq,
    given: events.length,
    rejected: rejected.length,
    gaps: frames.filter(({ type }) => type === "gap").length,
    epoch: events[0]?.frame.epoch ?? "",
    firstSeq: Math.min(...events.map(({ frame }) => frame.seq), Number.MAX_SAFE_INTEGER),
    seqs: wordArraySql(toStore.map(({ frame }) => frame.seq)),
    eventKeys: toStore.map(({ frame }) => frame.eventKey),
    bootIds: toStore.map(({ frame }) => frame.bootId),
    kinds: toStore.map(({ frame }) => frame.kind),
    times: wordArraySql(toStore.map(({ frame }) => frame.t)),
    payloads: jsonArraySql(toStore.map(({ payload }) => payload)),
    reaches: wordArraySql(toStore.map(({ reach }) => reach)),
    asksForIds: !isPlain && toStore.some(({ needsId }) => needsId),
    triggers: [...new Set(told.map(({ trigger }) => trigger))],
    accounts,
    newsSeqs: told.map(({ seq }) => seq),
    newsKeys: told.map(({ eventKey }) => eventKey),
    newsVariables: jsonArraySql(told.map(({ variables }) => JSON.stringify(variables))),
    ...(back ?? { fromId: 0, untilId: 0 }),
  };
  return firstRow<FrameInsertResult>(connection, statement, statement.valuesOf(values));
}

/** Drops repeats within the batch. If two of them went to different partitions, no unique key would conflict. */
function dropRepeats(events: readonly CheckedEvent[]): CheckedEvent[] {
  const known = new Set<string | number>();
  return events.filter(({ frame: { seq, eventKey } }) => {
    if (known.has(seq) || (eventKey !== null && known.has(eventKey))) return false;
    known.add(seq);
    if (eventKey !== null) known.add(eventKey);
    return true;
  });
}
