import { excerptOf } from "../report/excerpt.ts";
import type { Batch } from "../site/batch.ts";
import { type Answer, type Call, refuseWithRetryAfter } from "../site/call.ts";
import {
  type CheckContext,
  batchOf,
  type Check,
  hasEvents,
  describeNoEvents,
  answerNextEvents,
} from "./context.ts";

/** Refuses one call with events, leaves another without an answer, and stores only the first events of a third. */
export const resendCheck: Check = {
  name: "resend",
  does: "answers events with 503, loses an answer, and stores only a part of a batch",
  run: async (bench) => {
    const { report, times } = bench;
    const refused = await answerNextEvents(bench, () =>
      refuseWithRetryAfter(503, times.restSeconds),
    );
    if (!refused) {
      for (const id of ["resend.busy", "resend.after", "resend.lost", "resend.partial"] as const) {
        report.notSeen(id, describeNoEvents(bench));
      }
      return;
    }
    const waitMs = times.restSeconds * 1_000 + times.soonMs;
    const again = await bench.site.replyOnce(hasEvents, waitMs, (call, honest) =>
      storeFirst(bench, call, honest),
    );
    judgeRepeat("resend.busy", refused, again, bench);
    if (again) await judgeRest(again, bench);
    await loseAnswer(bench);
  },
};

async function loseAnswer(bench: CheckContext): Promise<void> {
  const lost = await answerNextEvents(bench, () => "drop");
  if (!lost) return bench.report.notSeen("resend.lost", describeNoEvents(bench));
  const again = await bench.site.nextAnswered(hasEvents, bench.times.soonMs * 2);
  judgeRepeat("resend.lost", lost, again, bench);
}

function storeFirst(
  { site }: CheckContext,
  call: Call,
  honest: () => Promise<Answer>,
): Answer | Promise<Answer> {
  const batch = batchOf(call);
  const [first, second] = batch?.events ?? [];
  if (!batch || !first || !second || !site.memory.judge(batch).isTaken) return honest();
  site.memory.rewindTo(first.seq);
  return { status: 200, body: { seq: first.seq } };
}

/** Checks that the plugin continues with the second event if only the first was stored. */
async function judgeRest(again: Call, bench: CheckContext): Promise<void> {
  const { report, site, times } = bench;
  const [first, second] = batchOf(again)?.events ?? [];
  if (!first || !second || site.memory.position !== first.seq) {
    return report.notSeen("resend.partial", "no batch had more than one event");
  }
  const rest = await site.next(hasEvents, times.soonMs);
  const next = rest && batchOf(rest);
  report.judge("resend.partial", continuesAt(next, second.seq), () => ({
    expected: `seq ${second.seq}, after the answer { "seq": ${first.seq} }`,
    got: next ? startOf(next) : `no events in ${times.soonMs / 1_000} s`,
    bytes: rest && excerptOf(rest.text),
  }));
}

/** Checks that the plugin sends a call with events again. `EventJudge` checks that the events are the same. */
function judgeRepeat(
  id: "resend.busy" | "resend.lost",
  sent: Call,
  again: Call | undefined,
  { report }: CheckContext,
): void {
  const seq = batchOf(sent)?.events[0]?.seq ?? 0;
  const next = again && batchOf(again);
  // If the plugin starts a new epoch, that epoch begins with the oldest event in the plugin's buffer.
  const isNew = next !== undefined && next.epoch !== batchOf(sent)?.epoch;
  report.judge(id, isNew || continuesAt(next, seq), () => ({
    expected: `seq ${seq} again, or a gap if the buffer lost it meanwhile`,
    got: next ? startOf(next) : "no events",
    bytes: excerptOf((again ?? sent).text),
  }));
}

/** Returns true if a batch starts with this `seq`, or if the gap before its first event includes this `seq`. */
function continuesAt(batch: Batch | undefined, seq: number): boolean {
  const first = batch?.events[0]?.seq;
  const { from = Infinity, to = -1 } = batch?.gap ?? {};
  return first === seq || (from <= seq && first === to + 1);
}

const startOf = ({ events, gap }: Batch): string =>
  `${gap ? `a gap from ${gap.from} to ${gap.to} and ` : ""}seq ${events[0]?.seq ?? "none"}`;
