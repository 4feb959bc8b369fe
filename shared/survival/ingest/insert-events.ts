import type { Bounds } from "../../platform/config/survival-bounds.ts";
import { firstRow } from "../../platform/db/rows.ts";
import { jsonArray } from "../../platform/db/sql-text.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { CheckedEvent } from "../../platform/ingest/check-frames.ts";
import {
  type Part,
  type StoredPart,
  storedPartOf,
  type StoredRow,
} from "../../platform/ingest/store-part.ts";
import { coverPayloadText } from "../../platform/secret-texts/secret-finder.ts";
import { findSurvivalKind } from "../kinds/kinds.ts";
import { keptText } from "../kinds/stored-payload.ts";
import type { Kept } from "../storage/room.ts";
import { isHappening, textWithoutPersonalFields } from "./check-payload.ts";
import { storeEvents } from "./events.sql.ts";

/** The result of storing a part, with the ids of all new events. */
export interface StoredSurvivalPart extends StoredPart {
  /** The amounts that were stored for the server before. */
  readonly kept: Kept;
}

function storedText({ frame, payload }: CheckedEvent): string {
  const unstored = findSurvivalKind(frame.kind)?.unstored ?? [];
  const kept = Object.entries(payload).filter(([name]) => !unstored.includes(name));
  const stored = unstored.length > 0 ? Object.fromEntries(kept) : payload;
  return coverPayloadText(keptText(frame.kind, stored, textWithoutPersonalFields));
}

/** Returns the key by which a repeated event is recognized and not stored again. */
function storedKey({ frame: { eventKey, kind }, payload }: CheckedEvent): string | null {
  const field = findSurvivalKind(kind)?.keyedWith;
  if (eventKey === null || field === undefined) return eventKey;
  return `${eventKey}:${String(payload[field])}`;
}

/** Stores events, the cursor and the counts. All events have one epoch. */
export async function insertEvents(
  { owner, events, rejected, frames, cursor }: Part,
  { serverId, bounds }: { readonly serverId: number; readonly bounds: Bounds },
  connection: Sql,
): Promise<StoredSurvivalPart> {
  const happenings = events.filter(isHappening);
  const texts = happenings.map(storedText);
  const values = storeEvents.valuesOf({
    source: owner.source,
    fence: owner.fence,
    cursorEpoch: cursor?.epoch ?? null,
    cursorSeq: cursor?.seq ?? null,
    given: events.length,
    rejected: rejected.length,
    gaps: frames.filter(({ type }) => type === "gap").length,
    serverId,
    epoch: happenings[0]?.frame.epoch ?? "",
    rowsLeftOut: events.reduce((sum, { rowsLeftOut }) => sum + rowsLeftOut, 0),
    mostEvents: bounds.events,
    mostBytes: bounds.eventBytes,
    seqs: happenings.map(({ frame }) => frame.seq),
    eventKeys: happenings.map(storedKey),
    bootIds: happenings.map(({ frame }) => frame.bootId),
    saveIds: happenings.map(({ frame }) => frame.saveId ?? null),
    kinds: happenings.map(({ frame }) => frame.kind),
    times: happenings.map(({ frame }) => frame.t),
    payloads: jsonArray(texts),
    sizes: texts.map((text) => Buffer.byteLength(text)),
  });
  const found = await firstRow<StoredRow & { kept: Kept | null }>(connection, storeEvents, values);
  return { ...storedPartOf(found), kept: found?.kept ?? {} };
}
