import { pickVariables } from "../../facts/emit-triggers.ts";
import type { ParamValues } from "../../facts/param.ts";
import { findTrigger } from "../../facts/triggers.ts";
import type { CheckedEvent } from "../../platform/ingest/check-frames.ts";
import type { PushRule } from "../kinds/kind.ts";
import { decideReach, findPushRule } from "../streams/projection.ts";
import { readAccountKey } from "./account-owners.ts";
import { triggerKey } from "./notify-gates.ts";

/** A row of `event_news`, for which phases of runs wait. */
interface TriggerRow {
  readonly seq: number;
  readonly trigger: string;
  readonly eventKey: string;
  readonly variables: ParamValues;
}

/** Rows for runs from events that depend on no state, and the accounts whose owners may get a push. */
export interface StatelessTriggers {
  readonly told: readonly TriggerRow[];
  /** Keys of the game accounts in these events. If an account is linked, its owner gets a push. */
  readonly accounts: readonly string[];
}

export const noStatelessTriggers: StatelessTriggers = { told: [], accounts: [] };

export function collectTriggers(events: readonly CheckedEvent[]): StatelessTriggers {
  const runTriggers: TriggerRow[] = [];
  const accounts: string[] = [];
  for (const event of events) {
    const { frame, payload } = event;
    const trigger = findTrigger(frame.kind);
    if (trigger?.owner === "shard" && decideReach(frame.kind, payload) === "public") {
      const variables = pickVariables(trigger, payload);
      runTriggers.push({
        seq: frame.seq,
        trigger: frame.kind,
        eventKey: triggerKey(event),
        variables,
      });
    }
    const personal = statelessPush(event)?.personal;
    const account = personal && readAccountKey(payload, personal.owner);
    if (account) accounts.push(account);
  }
  return { told: runTriggers, accounts };
}

/** Returns true if an event that depends on no state is pushed to all subscribers of its stream. */
export const isPushedToAll = (event: CheckedEvent): boolean =>
  statelessPush(event)?.public !== undefined;

/** Returns the push of an event that depends on no state; null if it is not pushed. */
const statelessPush = ({ frame, payload }: CheckedEvent): PushRule | null =>
  findPushRule(frame.kind, payload, { wasIdoc: false });
