import { pickVariables } from "../../facts/emit-triggers.ts";
import type { ParamValues } from "../../facts/param.ts";
import { findTrigger } from "../../facts/triggers.ts";
import type { EventFrame } from "../../platform/bridge/frames.ts";
import type { CheckedEvent } from "../../platform/ingest/check-frames.ts";
import type { PushRule } from "../kinds/kind.ts";
import { findShardKind } from "../kinds/kinds.ts";
import { decideReach, type EventReach, findPushRule } from "../streams/projection.ts";
import { readPayloadAccountKey } from "./account-owners.ts";
import { canTriggerGates, triggerKey } from "./notify-gates.ts";

/** A row of `event_news`: a public event for which a phase of a run may wait. */
interface TriggerRow {
  readonly seq: number;
  readonly trigger: string;
  readonly eventKey: string;
  readonly variables: ParamValues;
}

/** An event as the insert statement stores it. */
export interface EventRow {
  readonly frame: EventFrame;
  /** The payload to store, as JSON. */
  readonly payload: string;
  readonly reach: EventReach;
  /** True if the transaction needs the event's id: for a live state, a push or a waiting phase. */
  readonly needsId: boolean;
  /** The row of `event_news`; null unless the event is public regardless of any live state. */
  readonly trigger: TriggerRow | null;
  /** Key of the game account in the event. If it is linked, its owner gets a push. */
  readonly account: string | null;
}

export function toEventRow(event: CheckedEvent): EventRow {
  const { frame, payload } = event;
  const { feeds, push } = findShardKind(frame.kind) ?? {};
  const reach = decideReach(frame.kind, payload);
  const canTrigger = canTriggerGates(event);
  const personal = statelessPush(event)?.personal;
  // Store only the number of rows of a snapshot's page, because the rows have their own table.
  const rows = feeds?.as === "page" && { rows: (payload["rows"] as readonly unknown[]).length };
  return {
    frame,
    payload: JSON.stringify(rows ? { ...payload, ...rows } : payload),
    reach,
    needsId: usesLiveState(event) || push !== undefined || canTrigger,
    trigger: canTrigger && reach === "public" ? toTriggerRow(event) : null,
    account: personal ? readPayloadAccountKey(payload, personal.owner) : null,
  };
}

function toTriggerRow(event: CheckedEvent): TriggerRow | null {
  const { seq, kind } = event.frame;
  const trigger = findTrigger(kind);
  if (!trigger) return null;
  const variables = pickVariables(trigger, event.payload);
  return { seq, trigger: kind, eventKey: triggerKey(event), variables };
}

/** Returns true if an event changes a live state or depends on one. */
export function usesLiveState({ frame }: CheckedEvent): boolean {
  const kind = findShardKind(frame.kind);
  return kind?.feeds !== undefined || kind?.restsOn !== undefined;
}

/** Returns true if an event that depends on no state is pushed to all subscribers of its stream. */
export const isPushedToAll = (event: CheckedEvent): boolean =>
  statelessPush(event)?.public !== undefined;

/** Returns the push of an event that depends on no state; null if it is not pushed. */
const statelessPush = ({ frame, payload }: CheckedEvent): PushRule | null =>
  findPushRule(frame.kind, payload, { wasIdoc: false });
