import { setTimeout as sleep } from "node:timers/promises";

import { excerptOf } from "../report/excerpt.ts";
import { refuse } from "../site/call.ts";
import { formatSeconds } from "../watch/context.ts";
import type { Check } from "./context.ts";

/**
 * Calls within this time after a refusal are accepted: other threads may have begun them before the refusal
 * arrived.
 */
const graceMs = 1_000;

/**
 * Answers the plugin that a newer game process has taken over. This check is the last one, because the plugin
 * must then stay silent.
 */
export const supersededCheck: Check = {
  name: "superseded",
  does: "answers 409 SUPERSEDED; afterwards the plugin is silent until its game restarts",
  run: async (bench) => {
    const { site, report, times } = bench;
    bench.isPaused = true;
    bench.watch.stop();
    const answer = refuse(409, "SUPERSEDED");
    const heard = site.nextAnswered(({ status }) => status === 409, times.minuteMs + times.soonMs);
    site.intercept(
      () => true,
      () => answer,
    );
    site.queue.endWait(answer);
    if (!(await heard)) return report.notSeen("superseded.silent", "the plugin made no call");
    await sleep(Math.min(graceMs, times.minuteMs / 3));
    const watchedMs = times.minuteMs * 1.2;
    const call = await site.next(() => true, watchedMs);
    report.judge("superseded.silent", call === undefined, () => ({
      expected: `no call for ${formatSeconds(watchedMs)} after 409 SUPERSEDED`,
      got: "a call",
      bytes: call && excerptOf(call.line),
    }));
  },
};
