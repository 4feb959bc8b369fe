import { type CheckContext, type Check, isHelloCall, waitForHello } from "./context.ts";

/** Closes the connection of a hello without an answer: the plugin must send the hello again. */
export const helloCheck: Check = {
  name: "hello",
  does: "makes the plugin call POST /hello again and drops the answer",
  run: async (bench: CheckContext) => {
    const { site, report, times } = bench;
    site.askHello();
    const lost = await site.replyOnce(isHelloCall, times.soonMs, () => "drop");
    if (!lost) return report.notSeen("hello.repeated", "no hello came after 409 HELLO");
    // Wait twice as long: the plugin may make another call first, and it pauses after a connection error.
    const isRepeated = await waitForHello(bench, times.soonMs * 2);
    report.judge("hello.repeated", isRepeated, () => ({
      expected: `hello again within ${(times.soonMs * 2) / 1_000} s`,
      got: "no hello",
    }));
  },
};
