import type { StorageBounds } from "../../platform/config/survival-bounds.ts";
import { firstRow } from "../../platform/db/rows.ts";
import { jsonArraySql } from "../../platform/db/sql-text.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { CheckedEvent } from "../../platform/ingest/check-frames.ts";
import type { FrameBatch, FrameInsertResult } from "../../platform/ingest/store-part.ts";
import { maskPayloadText } from "../../platform/secret-texts/secret-finder.ts";
import { findSurvivalKind } from "../kinds/kinds.ts";
import { serializeStoredPayload } from "../kinds/stored-payload.ts";
import type { StoredCounts } from "../storage/quota.ts";
import { isEventFrame, stringifyWithoutPersonalFields } from "./check-payload.ts";
import { storeSurvivalEventsSql } from "./events.sql.ts";

/** The result of storing a batch, with the ids of all new events. */
export interface SurvivalFrameInsertResult extends FrameInsertResult {
  /** The counts of the server's stored rows before the batch; null if there were none. */
  readonly kept: StoredCounts | null;
}

function toStoredText({ frame, payload }: CheckedEvent): string {
  const unstored = findSurvivalKind(frame.kind)?.unstored ?? [];
  const storedAmounts = Object.entries(payload).filter(([name]) => !unstored.includes(name));
  const stored = unstored.length > 0 ? Object.fromEntries(storedAmounts) : payload;
  return maskPayloadText(
    serializeStoredPayload(frame.kind, stored, stringifyWithoutPersonalFields),
  );
}

/** Returns the key by which a repeated event is recognized, so that it is not stored again. */
function toStoredKey({ frame: { eventKey, kind }, payload }: CheckedEvent): string | null {
  const field = findSurvivalKind(kind)?.keyedWith;
  if (eventKey === null || field === undefined) return eventKey;
  return `${eventKey}:${String(payload[field])}`;
}

/** Stores events, the cursor and the counts. All events have one epoch. */
export async function insertEvents(
  { owner, events, rejected, frames, cursor }: FrameBatch,
  { serverId, bounds }: { readonly serverId: number; readonly bounds: StorageBounds },
  connection: SqlClient,
): Promise<SurvivalFrameInsertResult | undefined> {
  const newEvents = events.filter(isEventFrame);
  const texts = newEvents.map(toStoredText);
  const values = storeSurvivalEventsSql.valuesOf({
    source: owner.source,
    fence: owner.fence,
    cursorEpoch: cursor?.epoch ?? null,
    cursorSeq: cursor?.seq ?? null,
    given: events.length,
    rejected: rejected.length,
    gaps: frames.filter(({ type }) => type === "gap").length,
    serverId,
    epoch: newEvents[0]?.frame.epoch ?? "",
    rowsLeftOut: events.reduce((sum, { rowsLeftOut }) => sum + rowsLeftOut, 0),
    mostEvents: bounds.events,
    mostBytes: bounds.eventBytes,
    seqs: newEvents.map(({ frame }) => frame.seq),
    eventKeys: newEvents.map(toStoredKey),
    bootIds: newEvents.map(({ frame }) => frame.bootId),
    saveIds: newEvents.map(({ frame }) => frame.saveId ?? null),
    kinds: newEvents.map(({ frame }) => frame.kind),
    times: newEvents.map(({ frame }) => frame.t),
    payloads: jsonArraySql(texts),
    sizes: texts.map((text) => Buffer.byteLength(text)),
  });
  return firstRow<SurvivalFrameInsertResult>(connection, storeSurvivalEventsSql, values);
}
