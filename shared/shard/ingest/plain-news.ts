import { variablesOf } from "../../facts/emit-triggers.ts";
import type { Values } from "../../facts/param.ts";
import { findTrigger } from "../../facts/triggers.ts";
import type { CheckedEvent } from "../../platform/ingest/check-frames.ts";
import type { Push } from "../kinds/kind.ts";
import { audienceOf, pushOf } from "../streams/projection.ts";
import { accountIn } from "./account-owners.ts";
import { gateKeyOf } from "./tell-gates.ts";

/** What phases of runs may be told of an event. */
interface Told {
  readonly seq: number;
  readonly trigger: string;
  readonly eventKey: string;
  readonly variables: Values;
}

/** Who may wait for events that rest on no state, and what they are told. */
export interface PlainNews {
  readonly told: readonly Told[];
  /** The keys of game accounts whose owners are told, where the accounts are linked. */
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

/** Whether an event that rests on no state is pushed to everybody who wants its stream. */
export const isForEverybody = (event: CheckedEvent): boolean =>
  plainPushOf(event)?.public !== undefined;

/** How an event that rests on no state is pushed, if it is. */
const plainPushOf = ({ frame, payload }: CheckedEvent): Push | null =>
  pushOf(frame.kind, payload, { wasIdoc: false });
