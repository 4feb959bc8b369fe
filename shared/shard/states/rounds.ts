import type { StateEvent } from "./state-event.ts";

/** Events of one operation that can be done together. */
export interface Round<Operation> {
  readonly operation: Operation;
  readonly events: StateEvent[];
}

export interface RoundRules<Operation> {
  /** The thing that an event happened to. */
  readonly keyOf: (event: StateEvent) => unknown;
  readonly operationOf: (event: StateEvent) => Operation;
  /** Whether a round may hold several events of one thing. */
  readonly mayRepeat: boolean;
}

/**
 * Sorts events into as few rounds as keep the order of what happened to each thing. What happened
 * to different things is independent, so a round takes in all that no later one must wait for.
 */
export function splitIntoRounds<Operation>(
  events: readonly StateEvent[],
  { keyOf, operationOf, mayRepeat }: RoundRules<Operation>,
): Round<Operation>[] {
  const rounds: Round<Operation>[] = [];
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
  rounds: readonly Round<Operation>[],
  after: number,
  operation: Operation,
): number => rounds.findIndex((round, at) => at > after && round.operation === operation);
