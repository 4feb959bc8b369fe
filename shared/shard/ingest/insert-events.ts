import { firstRow } from "../../platform/db/rows.ts";
import { jsonArraySql, wordArraySql } from "../../platform/db/sql-text.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { CheckedEvent } from "../../platform/ingest/check-frames.ts";
import {
  type FrameBatch,
  type StoredFrames,
  toStoredFrames,
  type StoredPartRow,
} from "../../platform/ingest/store-part.ts";
import { findDedupeRange } from "../event-partitions/dedupe-range.ts";
import { findKind } from "../kinds/kinds.ts";
import { decideReach } from "../streams/projection.ts";
import type { PayloadFields } from "../visibility/view.ts";
import { storeEvents, storeNearPartitionEnd, storeWithTriggers } from "./events.sql.ts";
import { canTriggerGates } from "./notify-gates.ts";
import { collectTriggers, noStatelessTriggers } from "./trigger-events.ts";

/**
 * Stores the events of one transaction, all of one epoch, with the cursor and the counts. If `isPlain`, it also
 * stores their rows in `event_news`, unless one of the events needs a job.
 * @returns the ids, if any of the events concerns a live state, a waiting phase or a push
 */
export async function insertEvents(part: FrameBatch, connection: SqlClient): Promise<StoredFrames> {
  const { owner, events, rejected, frames, cursor, isPlain } = part;
  const { epoch: cursorEpoch, seq: cursorSeq } = cursor ?? { epoch: null, seq: null };
  const back = await findDedupeRange(owner, events.length, connection);
  const toStore = back ? dropRepeats(events) : events;
  const news = isPlain ? collectTriggers(events) : noStatelessTriggers;
  const mayBeAwaited = news.told.length > 0 || news.accounts.length > 0;
  const storing = mayBeAwaited ? storeWithTriggers : storeEvents;
  const statement = back ? storeNearPartitionEnd : storing;
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
    payloads: jsonArraySql(toStore.map((event) => JSON.stringify(storedPayload(event)))),
    reaches: wordArraySql(toStore.map(({ frame, payload }) => decideReach(frame.kind, payload))),
    asksForIds: !isPlain && events.some(needsId),
    triggers: [...new Set(news.told.map(({ trigger }) => trigger))],
    accounts: news.accounts,
    newsSeqs: news.told.map(({ seq }) => seq),
    newsKeys: news.told.map(({ eventKey }) => eventKey),
    newsVariables: jsonArraySql(news.told.map(({ variables }) => JSON.stringify(variables))),
    ...(back ?? { fromId: 0, untilId: 0 }),
  };
  const found = await firstRow<StoredPartRow>(connection, statement, statement.valuesOf(values));
  return toStoredFrames(found);
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

/** Returns the payload to store. A page of a snapshot holds only the number of its rows, which have a table. */
function storedPayload({ frame, payload }: CheckedEvent): PayloadFields {
  if (findKind(frame.kind)?.feeds?.as !== "page") return payload;
  return { ...payload, rows: (payload["rows"] as readonly unknown[]).length };
}

const needsId = (event: CheckedEvent): boolean =>
  usesLiveState(event) || findKind(event.frame.kind)?.push !== undefined || canTriggerGates(event);

/** Returns true if an event changes a live state or depends on one. */
export function usesLiveState({ frame }: CheckedEvent): boolean {
  const kind = findKind(frame.kind);
  return kind?.feeds !== undefined || kind?.restsOn !== undefined;
}
