import type { AppError } from "../../platform/errors/errors.ts";
import { networksOf } from "../../platform/net/networks.ts";
import type { CapOutcome } from "../../platform/throttle/limit-counts.ts";
import { rateLimitedError } from "../../platform/throttle/rate-limits.ts";
import { subjectsOf } from "../../platform/throttle/subjects.ts";
import type { CommandRequest } from "../../shard/staff/commands.ts";
import type { SurvivalContext } from "../context.ts";

/** The result of an attempt. A refusal counts as a wrong code if it helps a guesser. */
type AttemptResult<T> =
  | { readonly result: T }
  | { readonly refusal: AppError; readonly isGuess: boolean };

/**
 * Runs one attempt to use a code under the limits on wrong codes per user, address and network. Each
 * attempt is counted before the work, and uncounted unless the code was wrong. So concurrent attempts in
 * any number of processes cannot exceed the limits.
 * @throws AppError limited, or the refusal
 */
export async function runWithinLinkLimits<T>(
  { caller, address }: CommandRequest,
  { rateLimits, config }: SurvivalContext,
  work: () => Promise<AttemptResult<T>>,
): Promise<T> {
  const rooms = await rateLimits.holdRoom([
    { name: "steamLink", subject: { id: String(caller.userId), times: 1 } },
    ...subjectsOf(networksOf(address), config).map(
      (subject) => ({ name: "steamLinkAddress", subject }) as const,
    ),
  ]);
  if ("full" in rooms) {
    const [first] = rooms.full;
    // Attempts in progress may be uncounted when they end, so suggest an early retry.
    throw rateLimitedError(first?.isUsedUp ? first.endsInMs : retryMs);
  }
  let outcome: CapOutcome = "released";
  try {
    const tried = await work();
    if ("result" in tried) return tried.result;
    if (tried.isGuess) outcome = "failed";
    throw tried.refusal;
  } finally {
    await rateLimits.settleAttempts(rooms.held.map((held) => ({ ...held, outcome })));
  }
}

const retryMs = 2_000;
