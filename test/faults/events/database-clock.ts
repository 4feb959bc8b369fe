import { setTimeout as sleep } from "node:timers/promises";

import type { RandomSource } from "../../simulator/random.ts";
import type { DatabaseReader } from "../check-states.ts";
import type { History } from "../history.ts";

interface Scene {
  readonly setClockOff: (seconds: number) => Promise<void>;
  readonly read: DatabaseReader;
  readonly random: RandomSource;
  readonly history: History;
}

/** Selects log lines that a fast clock wrote: their time is ahead of the real clock. */
const linesAhead = `select from event_log_lines
  where at > pg_catalog.clock_timestamp() + interval '2 seconds' limit 1`;

/** A jump that exceeds each lease, forward or back. */
const farSeconds = 60;
const nearSeconds = 8;

/**
 * Makes the database's clock jump forward and back until the signal. A failover to another host has
 * the same effect.
 */
export async function jumpClock(
  { setClockOff, read, random, history }: Scene,
  { signal, withLong }: { readonly signal: AbortSignal; readonly withLong: boolean },
): Promise<void> {
  const most = withLong ? farSeconds : nearSeconds;
  let [jumps, seen, isAhead] = [0, 0, false];
  while (!signal.aborted) {
    isAhead = !isAhead;
    const seconds = isAhead ? random.int(4, most) : -random.int(4, most);
    const hasJumped = await setClockOff(seconds).then(
      () => true,
      () => false,
    );
    if (hasJumped) history.note("database clock jumped", { seconds });
    jumps += hasJumped ? 1 : 0;
    await sleep(random.int(2_000, withLong ? 12_000 : 4_000), undefined, { signal }).catch(
      () => undefined,
    );
    const ahead = await read(linesAhead).catch(() => []);
    seen += ahead.length;
  }
  history.claim("what is written is written by the clock that jumped", seen > 0);
  history.find("database clock", { jumps });
}
