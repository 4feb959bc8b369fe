import { variablesOf } from "../../facts/emit-triggers.ts";
import type { Values } from "../../facts/param.ts";
import { findTrigger } from "../../facts/triggers.ts";
import type { CheckedEvent } from "../../platform/ingest/check-frames.ts";
import type { Push } from "../kinds/kind.ts";
import { audienceOf, pushOf } from "../streams/projection.ts";
import { accountIn } from "./account-owners.ts";
import { gateKeyOf } from "./tell-gates.ts";

/** News of an event for phases of runs. */
interface Told {
  readonly seq: number;
  readonly trigger: string;
  readonly eventKey: string;
  readonly variables: Values;
}

/** News of events that depend on no state, and the accounts that may get a push. */
export interface PlainNews {
  readonly told: readonly Told[];
  /** Keys of game accounts; the owners of linked ones are notified. */
  readonly accounts: readonly string[];
}

export const noNews: PlainNews = { told: [], accounts: [] };

export function newsOf(events: readonly CheckedEvent[]): PlainNews {
  const told: Told[] = [];
  const accounts: string[] = [];
  for (const event of events) {
    const { frame, payload } = event;
    const trigger = findTrigger(frame.kind);
    if (trigger?.owner === "shard" && audienceOf(frame.kind, payload) === "public") {
      const variables = variablesOf(trigger, payload);
      told.push({ seq: frame.seq, trigger: frame.kind, eventKey: gateKeyOf(event), variables });
    }
    const personal = plainPushOf(event)?.personal;
    const account = personal && accountIn(payload, personal.owner);
    if (account) accounts.push(account);
  }
  return { told, accounts };
}

/** Returns true if an event that depends on no state is pushed to all subscribers of its stream. */
export const isForEverybody = (event: CheckedEvent): boolean =>
  plainPushOf(event)?.public !== undefined;

/** Returns the push of an event that depends on no state; null if it is not pushed. */
const plainPushOf = ({ frame, payload }: CheckedEvent): Push | null =>
  pushOf(frame.kind, payload, { wasIdoc: false });
