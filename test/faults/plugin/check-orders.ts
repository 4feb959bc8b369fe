import { idempotencyKeyOf } from "../../../shared/platform/bridge/calls/call.ts";
import type { History } from "../history.ts";
import type { ShardSimulatorClient } from "../shard.ts";
import type { BroadcastRequest } from "./clerk.ts";

const route = "post /api/v1/admin/shard/broadcast";

/** Returns how often a broadcast may have happened, judging by the answer to its request. */
function effectsOf({ status, error }: BroadcastRequest): { least: number; most: number } {
  if (status === 200) return { least: 1, most: 1 };
  // After a refusal there was no effect. Without a definite answer the effect may have happened.
  const isOpen = status === null || error === "shard_unavailable" || status >= 500;
  return { least: 0, most: isOpen ? 1 : 0 };
}

/**
 * Compares the answers to requests with the effects in the game. Each request must have had at most
 * one effect.
 */
export async function checkBroadcastRequests(
  orders: readonly BroadcastRequest[],
  userId: number,
  { shard, history }: { readonly shard: ShardSimulatorClient; readonly history: History },
): Promise<void> {
  const effects = new Map((await shard.effects("")).map(({ key, times }) => [key, times]));
  const keys = Map.groupBy(orders, ({ key }) => key);
  const told = { carriedOut: 0, refused: 0, open: 0 };
  for (const [key, asked] of keys) {
    const times = effects.get(idempotencyKeyOf(userId, route, key) ?? "") ?? 0;
    history.claim("an order has one effect at most", times <= 1, { key, times, asked });
    for (const order of asked) {
      const { least, most } = effectsOf(order);
      const isTrue =
        times >= least && (times <= most || asked.some(({ status }) => status === 200));
      history.claim("a caller is told the truth", isTrue, { key, times, order });
    }
    if (asked.some(({ status }) => status === 200)) told.carriedOut += 1;
    else if (asked.every((order) => effectsOf(order).most === 0)) told.refused += 1;
    else told.open += 1;
  }
  history.claim("orders are carried out between the faults", told.carriedOut >= 20, told);
  const answers = Map.groupBy(orders, ({ status, error }) => error ?? status ?? "no answer");
  const counts = [...answers].map(([answer, all]) => [answer, all.length]);
  history.find("orders", { asked: orders.length, keys: keys.size, ...told });
  history.find("answers to orders", Object.fromEntries(counts) as object);
}
