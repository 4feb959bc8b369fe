import { setTimeout as sleep } from "node:timers/promises";

import { excerptOf } from "../report/excerpt.ts";
import { type Answer, type Call, refuse } from "../site/call.ts";
import type { CallFilter } from "../site/site.ts";
import { formatSeconds } from "../watch/context.ts";
import {
  type CheckContext,
  type Check,
  isHelloCall,
  waitForHello,
  runWhilePaused,
} from "./context.ts";

/** The shortest accepted pause, as a fraction of a minute: clocks differ, and the plugin starts counting later. */
const minuteTolerance = 0.9;

/**
 * Calls within this time after a refusal are accepted: other threads may have begun them before the refusal
 * arrived.
 */
const graceMs = 1_000;

export const refusedCheck: Check = {
  name: "refused",
  does: "refuses the key, the link and the protocol version for some minutes",
  run: (bench) =>
    runWhilePaused(bench, async () => {
      await refuseKey(bench);
      await refuseProtocol(bench);
    }),
};

/** Answers the first calls with 401, then the plugin's retry with 403, and waits for another retry. */
async function refuseKey(bench: CheckContext): Promise<void> {
  const { site, report, times } = bench;
  let answer: Answer = refuse(401, "UNAUTHORIZED");
  const heard = site.nextAnswered(isRefused, times.soonMs * 2);
  const stop = site.intercept(
    () => true,
    () => answer,
  );
  site.queue.endWait(answer);
  const first = await heard;
  if (first) {
    await sleep(graceOf(bench));
    answer = refuse(403, "DISABLED");
    const second = await judgeRetry("refused.key", first, isRefused, bench);
    if (second) await judgeRetry("refused.disabled", second, isRefused, bench);
  } else {
    report.notSeen("refused.key", "the plugin made no call that the check could refuse");
  }
  stop();
}

const isRefused = ({ status }: Call): boolean => status === 401 || status === 403;

const graceOf = ({ times }: CheckContext): number => Math.min(graceMs, times.minuteMs / 3);

/** Checks that the next call comes about a minute after a refused one. */
async function judgeRetry(
  id: "refused.key" | "refused.disabled" | "refused.protocol",
  refused: Call,
  fits: CallFilter,
  { site, report, times }: CheckContext,
): Promise<Call | undefined> {
  const next = await site.nextAnswered(fits, times.minuteMs * 1.5);
  const pauseMs = next ? next.startedMs - (refused.endedMs ?? refused.startedMs) : Infinity;
  report.judge(id, next !== undefined && pauseMs >= times.minuteMs * minuteTolerance, () => ({
    expected: `one call ${formatSeconds(times.minuteMs)} after a call was answered ${refused.status}`,
    got: next
      ? `a call after ${formatSeconds(pauseMs)}`
      : `none in ${formatSeconds(times.minuteMs * 1.5)}`,
    bytes: excerptOf((next ?? refused).line),
  }));
  return next;
}

async function refuseProtocol(bench: CheckContext): Promise<void> {
  const { site, report, times } = bench;
  site.askHello();
  const refused = await site.replyOnce(isHelloCall, times.minuteMs * 1.5, () =>
    refuse(409, "PROTOCOL", { min: 2, max: 2 }),
  );
  if (!refused) return report.notSeen("refused.protocol", "no hello came after 409 HELLO");
  await sleep(graceOf(bench));
  const next = await judgeRetry("refused.protocol", refused, () => true, bench);
  if (next && !isHelloCall(next)) {
    report.fail("refused.protocol", {
      expected: "POST /hello",
      got: "another call",
      bytes: excerptOf(next.line),
    });
  }
  await waitForHello(bench, times.minuteMs * 1.5);
}
