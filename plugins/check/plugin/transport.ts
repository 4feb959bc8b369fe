import { setTimeout as sleep } from "node:timers/promises";

import type { Check } from "./context.ts";

/** Long enough to measure the number of calls per second. */
const lookMs = 2_000;

/** The watch checks the transport of every call; this check only waits for calls, including a wait. */
export const transportCheck: Check = {
  name: "transport",
  does: "looks at how calls are made",
  run: async ({ site, times, report }) => {
    const wait = await site.next(
      ({ endpoint }) => endpoint === "wait",
      times.pollMs + times.soonMs,
    );
    await sleep(lookMs);
    if (!wait) report.notSeen("transport.boot", "the plugin asked for no commands");
  },
};
