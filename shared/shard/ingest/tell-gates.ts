import { tell } from "../../facts/tell.ts";
import { findTrigger } from "../../facts/triggers.ts";
import type { Context } from "../../platform/context.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { CheckedEvent } from "../../platform/ingest/check-frames.ts";
import type { MetReach, StateEvent } from "../states/state-event.ts";
import { audienceOf } from "../streams/projection.ts";

/** Whether a gate of an event may wait for events of this kind. */
export const concernsGates = ({ frame }: Pick<CheckedEvent, "frame">): boolean =>
  findTrigger(frame.kind)?.owner === "shard";

interface Telling {
  readonly source: string;
  /** Where the reach of an event rests on what it met. */
  readonly reached: readonly MetReach[];
  readonly connection: Sql;
  readonly context: Pick<Context, "queue" | "log">;
}

/**
 * Tells the runs that wait what is new of a part. What is not public is nobody's to tell: variables
 * may be filled into what everybody reads.
 */
export async function tellGates(
  events: readonly StateEvent[],
  { source, reached, connection, context }: Telling,
): Promise<void> {
  const met = new Map(reached.map(({ event, reach }) => [event.id, reach]));
  const happened = events
    .filter(concernsGates)
    .filter(
      ({ id, frame, payload }) => (met.get(id) ?? audienceOf(frame.kind, payload)) === "public",
    )
    .map((event) => ({
      trigger: event.frame.kind,
      eventKey: gateKeyOf(event),
      t: event.frame.t,
      variables: event.payload,
    }));
  await tell({ triggers: { source, happened } }, { within: connection, context });
}

/** By what a repeated event is known: its own key, or its place in the stream. */
export const gateKeyOf = ({ frame }: Pick<CheckedEvent, "frame">): string =>
  frame.eventKey === null ? `at ${frame.epoch} ${frame.seq}` : `key ${frame.eventKey}`;
