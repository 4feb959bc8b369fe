import { findShardKind } from "../../../shared/shard/kinds/kinds.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import type { BufferedEvent } from "../../simulator/stream/event.ts";

/** Simulates this many events of a shard. @param plain leaves out events that change a state */
export function simulateShardEvents(
  shard: Simulator,
  count: number,
  plain: boolean,
): BufferedEvent[] {
  const { log } = shard.buffer;
  const events: BufferedEvent[] = [];
  while (events.length < count) {
    const from = log.length;
    shard.happen(count);
    events.push(...log.slice(from).filter(({ kind }) => !plain || !findShardKind(kind)?.feeds));
  }
  return events.slice(0, count);
}
