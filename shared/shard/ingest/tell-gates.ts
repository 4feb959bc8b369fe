import { variablesOf } from "../../facts/emit-triggers.ts";
import type { Values } from "../../facts/param.ts";
import { tell } from "../../facts/tell.ts";
import { findTrigger } from "../../facts/triggers.ts";
import type { Context } from "../../platform/context.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { MetReach, StateEvent } from "../states/state-event.ts";
import { audienceOf } from "../streams/projection.ts";
import type { CheckedEvent } from "./checked-frames.ts";

/** Whether a gate of an event may wait for events of this kind. */
export const concernsGates = ({ frame }: CheckedEvent): boolean =>
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
      eventKey: keyOf(event),
      t: event.frame.t,
      variables: event.payload,
    }));
  await tell({ triggers: { source, happened } }, { within: connection, context });
}

/** By what a repeated event is known: its own key, or its place in the stream. */
const keyOf = ({ frame }: CheckedEvent): string =>
  frame.eventKey === null ? `at ${frame.epoch} ${frame.seq}` : `key ${frame.eventKey}`;

/** What a gate may be told of an event that rests on no state. */
export interface Told {
  readonly seq: number;
  readonly trigger: string;
  readonly eventKey: string;
  readonly variables: Values;
}

/** What gates may be told of events that rest on no state. */
export const toldOf = (events: readonly CheckedEvent[]): Told[] =>
  events.flatMap((event) => {
    const { frame, payload } = event;
    const trigger = findTrigger(frame.kind);
    if (trigger?.owner !== "shard" || audienceOf(frame.kind, payload) !== "public") return [];
    const variables = variablesOf(trigger, payload);
    return [{ seq: frame.seq, trigger: frame.kind, eventKey: keyOf(event), variables }];
  });
