import { excerptOf } from "../report/excerpt.ts";
import { type Answer, refuse } from "../site/call.ts";
import { readHello } from "../site/hello.ts";
import {
  type CheckContext,
  type Check,
  hasEvents,
  isHelloCall,
  waitForEvents,
  describeNoEvents,
  answerNextEvents,
  waitForHello,
  waitForCommandPoll,
} from "./context.ts";

export const conflictCheck: Check = {
  name: "conflict",
  does: "answers POST /events, GET /commands and POST /hello with 409",
  run: async (bench) => {
    const { site } = bench;
    await conflictWait(bench);
    await conflictEvents("conflict.hello", refuse(409, "HELLO"), bench);
    const expected = site.memory.position + 1;
    await conflictEvents("conflict.sequence", refuse(409, "SEQUENCE", { expected }), bench);
    await conflictEpoch(bench);
  },
};

async function conflictWait(bench: CheckContext): Promise<void> {
  const { site, report, times } = bench;
  if (!(await waitForCommandPoll(bench))) {
    return report.notSeen("conflict.wait", "the plugin had no GET /commands open");
  }
  const { openWait } = site.queue;
  site.askHello();
  report.judge("conflict.wait", await waitForHello(bench), () => ({
    expected: `hello within ${times.soonMs / 1_000} s of a wait that was answered 409 HELLO`,
    got: "no hello",
    bytes: openWait ? excerptOf(openWait.line) : undefined,
  }));
}

async function conflictEvents(
  id: "conflict.hello" | "conflict.sequence",
  answer: Answer,
  bench: CheckContext,
): Promise<void> {
  const { site, report, times } = bench;
  const refused = await answerNextEvents(bench, () => {
    site.memory.requireHello();
    return answer;
  });
  if (!refused) {
    report.notSeen("conflict.resume", describeNoEvents(bench));
    return report.notSeen(id, describeNoEvents(bench));
  }
  const resumed = site.nextAnswered(hasEventsOnceGreeted(bench), times.soonMs * 2);
  report.judge(id, await waitForHello(bench), () => ({
    expected: `hello within ${times.soonMs / 1_000} s`,
    got: "no hello",
    bytes: excerptOf(refused.text),
  }));
  const next = await resumed;
  report.judge("conflict.resume", next?.status === 200, () => ({
    expected: `events from seq ${site.memory.position + 1} on, after the hello`,
    got: next ? `events that were answered ${next.status}` : "no events",
    bytes: excerptOf(next?.text ?? refused.text),
  }));
}

/** Matches a call with events that the plugin sends after its hello was answered. */
const hasEventsOnceGreeted =
  ({ site }: CheckContext) =>
  (call: Parameters<typeof hasEvents>[0]): boolean =>
    hasEvents(call) && !site.memory.needsHello;

async function conflictEpoch(bench: CheckContext): Promise<void> {
  const { site, report, times } = bench;
  const before = site.memory.hello?.epoch;
  site.askHello();
  const refused = await site.replyOnce(isHelloCall, times.soonMs, () => refuse(409, "EPOCH"));
  if (!refused) return report.notSeen("conflict.epoch", "no hello came after 409 HELLO");
  const next = await site.nextAnswered(isHelloCall, times.soonMs);
  const epoch = next?.json && next.status === 200 ? readHello(next.json).epoch : undefined;
  report.judge("conflict.epoch", epoch !== undefined && epoch !== before, () => ({
    expected: `hello with an epoch other than ${before}`,
    got: next ? "a hello with the same epoch, or one that cannot be read" : "no hello",
    bytes: next && excerptOf(next.text),
  }));
  if (!(await waitForEvents(bench))) report.notSeen("conflict.resume", describeNoEvents(bench));
}
