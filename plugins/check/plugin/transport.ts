import { setTimeout as sleep } from "node:timers/promises";

import type { Check } from "./context.ts";

/** How long to watch calls, to measure their number per second. */
const lookMs = 2_000;

/** Waits until the plugin has made calls, including a poll. `Watch` checks the transport of every call. */
export const transportCheck: Check = {
  name: "transport",
  does: "checks the form of the calls",
  run: async ({ site, times, report }) => {
    const wait = await site.next(
      ({ endpoint }) => endpoint === "wait",
      times.pollMs + times.soonMs,
    );
    await sleep(lookMs);
    if (!wait) report.notSeen("transport.boot", "the plugin did not call GET /commands");
  },
};
