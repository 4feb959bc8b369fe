import type { Context } from "../../platform/context.ts";
import type { AppError } from "../../platform/errors/errors.ts";
import { networksOf } from "../../platform/net/networks.ts";
import type { Held } from "../../platform/throttle/held-counts.ts";
import type { RateLimitName } from "../../platform/throttle/limit-catalogue.ts";
import { tooMany } from "../../platform/throttle/rate-limits.ts";
import { type Subject, subjectsOf } from "../../platform/throttle/subjects.ts";
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
  context: SurvivalContext,
  work: () => Promise<Tried<T>>,
): Promise<T> {
  const counted: readonly Counted[] = [
    { name: "steamLink", subject: { id: String(caller.userId), times: 1 } },
    ...subjectsOf(networksOf(address), context.config).map(
      (subject) => ({ name: "steamLinkAddress", subject }) as const,
    ),
  ];
  const held = await takeRoom(counted, context);
  let isGuess = false;
  try {
    const tried = await work();
    if ("result" in tried) return tried.result;
    isGuess = tried.isGuess;
    throw tried.refusal;
  } finally {
    await Promise.all(held.map((one) => (isGuess ? count(one, context) : release(one, context))));
  }
}

interface Counted {
  readonly name: RateLimitName;
  readonly subject: Subject;
}

interface Room extends Counted {
  readonly held: Held;
}

async function takeRoom(counted: readonly Counted[], context: SurvivalContext): Promise<Room[]> {
  const taken: Room[] = [];
  for (const one of counted) {
    const held = await context.rateLimits.hold(one.name, one.subject);
    if (held) {
      taken.push({ ...one, held });
      continue;
    }
    await Promise.all(taken.map((room) => release(room, context)));
    throw tooMany(await waitFor(one, context));
  }
  return taken;
}

/** Tries that are still running release their room when they end. */
async function waitFor({ name, subject }: Counted, { rateLimits }: Context): Promise<number> {
  const { uses, endsInMs } = await rateLimits.used(name, subject);
  return uses >= rateLimits.max(name, subject) ? endsInMs : retryMs;
}

const retryMs = 2_000;

const release = ({ held }: Room, { rateLimits }: Context): Promise<void> =>
  rateLimits.release(held);

async function count({ name, subject, held }: Room, { rateLimits }: Context): Promise<void> {
  await rateLimits.fail(name, subject, held);
}
