import { excerptOf } from "../report/excerpt.ts";
import { readBatch } from "../site/batch.ts";
import type { Call } from "../site/call.ts";
import {
  type CheckContext,
  type Check,
  waitForEvents,
  describeNoEvents,
  requestStates,
  waitForHello,
} from "./context.ts";

/** The number of events that the site forgets, so that the plugin must send them again. */
const forgottenEvents = 2;

/** Asks for earlier events, which the plugin may have dropped from its buffer. */
export const gapCheck: Check = {
  name: "gap",
  does: "forgets stored events and requests them again",
  run: async (bench) => {
    const { site, report, times } = bench;
    report.notSeen("gap.overflow", "the buffer did not overflow: run the check away");
    if (!(await waitForStoredEvents(bench))) {
      return report.notSeen("gap.rewind", describeNoEvents(bench));
    }
    site.memory.requireHello();
    const cursor = site.memory.position - forgottenEvents;
    site.memory.rewindTo(cursor);
    const told = site.nextAnswered(
      (call) => call.endpoint === "events" && !site.memory.needsHello,
      times.soonMs + times.patienceMs,
    );
    site.askHello();
    if (!(await waitForHello(bench))) {
      return report.notSeen("gap.rewind", "no hello came after 409 HELLO");
    }
    requestStates(bench);
    judgeGap(await told, cursor, bench);
  },
};

function judgeGap(
  call: Call | undefined,
  cursor: number,
  { report, ...bench }: CheckContext,
): void {
  if (!call) return report.notSeen("gap.rewind", describeNoEvents({ report, ...bench }));
  const batch = readBatch(call);
  const first = typeof batch === "object" ? batch.events[0]?.seq : undefined;
  const isKept = first !== undefined && first <= cursor + 1;
  const hasGap = typeof batch === "object" && batch.gap !== null;
  report.judge("gap.rewind", call.status === 200 && (isKept || hasGap), () => ({
    expected: `seq ${cursor + 1}, or a gap that begins there and ends before the first event`,
    got: `first event ${first ?? "none"}, ${hasGap ? "a gap" : "no gap"}, answered ${call.status}`,
    bytes: excerptOf(call.text),
  }));
}

/** Waits until the site has stored enough events of this epoch. @returns false on timeout */
async function waitForStoredEvents(bench: CheckContext): Promise<boolean> {
  const { site, times } = bench;
  const until = performance.now() + times.patienceMs;
  while (site.memory.storedCount < forgottenEvents) {
    if (performance.now() > until || !(await waitForEvents(bench))) return false;
  }
  return true;
}
