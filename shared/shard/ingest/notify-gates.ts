import { publishFacts } from "../../facts/publish-facts.ts";
import { findTrigger } from "../../facts/triggers.ts";
import type { Context } from "../../platform/context.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { CheckedEvent } from "../../platform/ingest/check-frames.ts";
import type { StateEventReach, StateEvent } from "../states/state-event.ts";
import { decideReach } from "../streams/projection.ts";

/** Returns true if a phase of a run can wait for events of this kind. */
export const canTriggerGates = ({ frame }: Pick<CheckedEvent, "frame">): boolean =>
  findTrigger(frame.kind)?.owner === "shard";

interface NotifyContext {
  readonly source: string;
  /** The events whose reach (public, staff or none) depends on an earlier live state, each with its reach. */
  readonly reached: readonly StateEventReach[];
  readonly connection: SqlClient;
  readonly context: Pick<Context, "queue" | "log">;
}

/** Notifies runs of new public events only, because runs may insert an event's variables into public texts. */
export async function notifyGates(
  events: readonly StateEvent[],
  { source, reached, connection, context }: NotifyContext,
): Promise<void> {
  const met = new Map(reached.map(({ event, reach }) => [event.id, reach]));
  const happened = events
    .filter(canTriggerGates)
    .filter(
      ({ id, frame, payload }) => (met.get(id) ?? decideReach(frame.kind, payload)) === "public",
    )
    .map((event) => ({
      trigger: event.frame.kind,
      eventKey: triggerKey(event),
      t: event.frame.t,
      variables: event.payload,
    }));
  await publishFacts({ triggers: { source, happened } }, { within: connection, context });
}

/** Returns a key that repeated events share: their event key or their stream position. */
export const triggerKey = ({ frame }: Pick<CheckedEvent, "frame">): string =>
  frame.eventKey === null ? `at ${frame.epoch} ${frame.seq}` : `key ${frame.eventKey}`;
