import { setTimeout as sleep } from "node:timers/promises";

import { excerptOf } from "../report/excerpt.ts";
import { readBatch } from "../site/batch.ts";
import type { Call } from "../site/call.ts";
import { formatSeconds } from "../watch/context.ts";
import {
  type CheckContext,
  type Check,
  describeNoEvents,
  requestStates,
  runWhilePaused,
} from "./context.ts";

/**
 * The maximum number of connections while the site is away. A plugin with three retry loops, whose random pauses
 * double from 1 s to 60 s, exceeds this number in less than one of 100,000 runs.
 */
const maxConnections = { inAll: 30, inSecondHalf: 12 } as const;

export const awayCheck: Check = {
  name: "away",
  does: "resets all connections for a minute; do something in the game during this time",
  run: async (bench) => {
    const { report, times } = bench;
    const { attempts, back, told } = await runWhilePaused(bench, () => simulateOutage(bench));
    judgeAttempts(attempts, bench);
    report.judge("away.return", back !== undefined, () => ({
      expected: `a call within ${formatSeconds(times.minuteMs)} after the site can be reached again`,
      got: "none",
    }));
    if (back) requestStates(bench);
    judgeKeptEvents(back && (await told.call), bench);
  },
};

/** Resets all connections for a minute, then waits for the first call of the plugin. */
async function simulateOutage(bench: CheckContext) {
  const { site, times } = bench;
  const startMs = performance.now();
  site.goAway();
  await sleep(times.minuteMs);
  const attempts = site.comeBack().map((atMs) => atMs - startMs);
  // Wrapped in an object, because an async function would await a returned promise.
  const told = {
    call: site.nextAnswered(isTaken(bench), times.minuteMs * 2 + times.patienceMs),
  };
  const back = await site.next(() => true, times.minuteMs * 1.1 + times.soonMs);
  return { attempts, back, told };
}

/** Matches a call with events after the plugin's new hello. An earlier call only repeats an unanswered call. */
const isTaken =
  ({ site }: CheckContext) =>
  (call: Call): boolean =>
    call.endpoint === "events" && !site.memory.needsHello;

function judgeAttempts(attempts: readonly number[], { report, times }: CheckContext): void {
  const late = attempts.filter((atMs) => atMs > times.minuteMs / 2);
  const isCalm =
    attempts.length <= maxConnections.inAll && late.length <= maxConnections.inSecondHalf;
  report.judge("away.backoff", isCalm && attempts.length > 0, () => ({
    expected: `1 to ${maxConnections.inAll} connections in ${formatSeconds(times.minuteMs)}, of which ${maxConnections.inSecondHalf} in the second half at most`,
    got: `${attempts.length}, of which ${late.length} in the second half`,
    bytes: `connections after ${attempts.slice(0, 40).map(formatSeconds).join(", ")}`,
  }));
}

function judgeKeptEvents(call: Call | undefined, bench: CheckContext): void {
  const { report } = bench;
  if (!call) {
    report.notSeen("away.kept", describeNoEvents(bench));
    return report.notSeen("gap.overflow", describeNoEvents(bench));
  }
  report.judge("away.kept", call.status === 200, () => ({
    expected: "events that follow the stored ones, or a gap before them",
    got: `events that were answered ${call.status}`,
    bytes: excerptOf(call.text),
  }));
  const batch = readBatch(call);
  if (typeof batch === "object" && batch.gap && call.status === 200) {
    return report.pass("gap.overflow");
  }
  report.notSeen("gap.overflow", "the buffer did not overflow while the site was away");
}
