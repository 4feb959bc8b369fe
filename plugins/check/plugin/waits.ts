import { excerptOf } from "../report/excerpt.ts";
import { refuseWithRetryAfter } from "../site/call.ts";
import { type Check, isWaitCall } from "./context.ts";

export const waitsCheck: Check = {
  name: "waits",
  does: "holds GET /commands open for 25 s, and answers the next one with 429",
  run: async ({ site, report, times }) => {
    const isWhole = (call: Parameters<typeof isWaitCall>[0]): boolean => {
      const asked = Number(call.url.searchParams.get("wait") ?? 25);
      const heldMs = performance.now() - call.startedMs;
      return (
        isWaitCall(call) &&
        call.status === 200 &&
        heldMs >= (Math.min(asked, 25) / 25) * times.pollMs * 0.9
      );
    };
    const held = await site.nextAnswered(isWhole, times.pollMs * 2 + times.soonMs);
    if (held) report.pass("waits.held");
    else report.notSeen("waits.held", "no GET /commands was open for 25 s");
    const refused = site.replyOnce(isWaitCall, times.soonMs, () =>
      refuseWithRetryAfter(429, times.restSeconds),
    );
    site.queue.endWait();
    const call = await refused;
    if (!call) {
      return report.notSeen(
        "waits.after",
        "the plugin made no GET /commands that the check could refuse",
      );
    }
    const next = await site.next(isWaitCall, times.restSeconds * 1_000 + times.soonMs);
    if (next) return;
    report.fail("waits.after", {
      expected: `GET /commands again after the ${times.restSeconds} s of Retry-After`,
      got: "no GET /commands",
      bytes: excerptOf(call.line),
    });
  },
};
