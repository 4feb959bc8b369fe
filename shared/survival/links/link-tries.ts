import type { AppError } from "../../platform/errors/errors.ts";
import { networksOf } from "../../platform/net/networks.ts";
import type { Outcome } from "../../platform/throttle/held-counts.ts";
import { tooMany } from "../../platform/throttle/rate-limits.ts";
import { subjectsOf } from "../../platform/throttle/subjects.ts";
import type { ShardOrder } from "../../shard/staff/commands.ts";
import type { SurvivalContext } from "../context.ts";

/** The result of a try. A refusal counts against the limits if it helps a guesser. */
type Tried<T> = { readonly result: T } | { readonly refusal: AppError; readonly isGuess: boolean };

/**
 * Runs one try of a code under the limits on wrong codes per user, address and network. Each try is
 * counted before the work and released unless the code was wrong. Thus concurrent tries in any number
 * of processes cannot exceed the limits.
 * @throws AppError limited, or the refusal
 */
export async function withinLinkTries<T>(
  { caller, address }: ShardOrder,
  { rateLimits, config }: SurvivalContext,
  work: () => Promise<Tried<T>>,
): Promise<T> {
  const rooms = await rateLimits.hold([
    { name: "steamLink", subject: { id: String(caller.userId), times: 1 } },
    ...subjectsOf(networksOf(address), config).map(
      (subject) => ({ name: "steamLinkAddress", subject }) as const,
    ),
  ]);
  if ("full" in rooms) {
    const [first] = rooms.full;
    // Room that other tries hold is free again when they end.
    throw tooMany(first?.isUsedUp ? first.endsInMs : retryMs);
  }
  let outcome: Outcome = "released";
  try {
    const tried = await work();
    if ("result" in tried) return tried.result;
    if (tried.isGuess) outcome = "failed";
    throw tried.refusal;
  } finally {
    await rateLimits.settle(rooms.held.map((held) => ({ ...held, outcome })));
  }
}

const retryMs = 2_000;
