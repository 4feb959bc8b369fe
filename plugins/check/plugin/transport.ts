import { setTimeout as sleep } from "node:timers/promises";

import type { Check } from "./bench.ts";

/** Long enough to see how many calls a second there are. */
const lookMs = 2_000;

/** How calls are made is judged of every call; a wait has to come for its part. */
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
