import { type CheckContext, type Check, isHello, waitForHello } from "./context.ts";

/** Drops the answer to a hello. The first hello arrives before the checks begin. */
export const helloCheck: Check = {
  name: "hello",
  does: "has the plugin say hello again and drops the answer",
  run: async (bench: CheckContext) => {
    const { site, report, times } = bench;
    site.askHello();
    const lost = await site.replyOnce(isHello, times.soonMs, () => "drop");
    if (!lost) return report.notSeen("hello.repeated", "no hello came after 409 HELLO");
    // The plugin may make another call first, and backs off after a connection error.
    const isRepeated = await waitForHello(bench, times.soonMs * 2);
    report.judge("hello.repeated", isRepeated, () => ({
      expected: `hello again within ${(times.soonMs * 2) / 1_000} s`,
      got: "no hello",
    }));
  },
};
