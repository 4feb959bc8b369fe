import type { StateEvent } from "./state-event.ts";

/** Events with the same operation, which are applied together. */
export interface StateEventBatch<Operation> {
  readonly operation: Operation;
  readonly events: StateEvent[];
}

export interface StateEventBatchRules<Operation> {
  readonly keyOf: (event: StateEvent) => unknown;
  readonly operationOf: (event: StateEvent) => Operation;
  /** True if a batch may contain several events of one object. */
  readonly mayRepeat: boolean;
}

/**
 * Groups events into batches that are applied in turn. The events of one object keep their order. Events of
 * different objects are independent, so each event goes into the earliest possible batch.
 */
export function splitStateEvents<Operation>(
  events: readonly StateEvent[],
  { keyOf, operationOf, mayRepeat }: StateEventBatchRules<Operation>,
): StateEventBatch<Operation>[] {
  const rounds: StateEventBatch<Operation>[] = [];
  const lastRounds = new Map<unknown, number>();
  for (const event of events) {
    const [key, operation] = [keyOf(event), operationOf(event)];
    const last = lastRounds.get(key) ?? -1;
    const isLast = mayRepeat && rounds[last]?.operation === operation;
    const found = isLast ? last : findAfter(rounds, last, operation);
    const at = found === -1 ? rounds.push({ operation, events: [] }) - 1 : found;
    rounds[at]?.events.push(event);
    lastRounds.set(key, at);
  }
  return rounds;
}

const findAfter = <Operation>(
  rounds: readonly StateEventBatch<Operation>[],
  after: number,
  operation: Operation,
): number => rounds.findIndex((round, at) => at > after && round.operation === operation);
