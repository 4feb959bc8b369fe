import { familiesOf } from "../payloads/payload-faults.ts";
import {
  type CheckContext,
  type Check,
  hasEvents,
  waitForEvents,
  describeNoEvents,
  waitForHello,
} from "./context.ts";

/** After this time without an event, the check treats all events as received. */
const quietMs = 3_000;

/** The number of calls to wait for, to see if the sequence continues from call to call. */
const someBatches = 3;

export const eventsCheck: Check = {
  name: "events",
  does: "waits for the game's first events",
  run: async (bench) => {
    const { report } = bench;
    report.notSeen("events.unchanged", "no event was sent again: run the check resend");
    if (await waitForEvents(bench)) return waitUntilQuiet(bench, someBatches);
    report.notSeen("events.envelope", describeNoEvents(bench));
    report.notSeen("events.sequence", describeNoEvents(bench));
  },
};

export const payloadsCheck: Check = {
  name: "payloads",
  does: "requests the states of the plugin and checks every event",
  run: async (bench) => {
    if (await waitForEvents(bench)) await waitUntilQuiet(bench);
  },
};

/** Asks for snapshots in the answer to a hello. */
export const snapshotsCheck: Check = {
  name: "snapshots",
  does: "requests complete snapshots of the states",
  run: async (bench) => {
    const { site, game, report } = bench;
    if (game === "rust") {
      return report.skip("snapshots.whole", "survival servers send their states without snapshots");
    }
    site.memory.resync = familiesOf(game);
    site.askHello();
    await waitForHello(bench);
    site.memory.resync = [];
    await waitUntilQuiet(bench);
    if (bench.hasNoResync) report.skip("snapshots.whole", "POST /v1/resync is UNSUPPORTED");
    report.notSeen("snapshots.whole", "no complete snapshot came");
  },
};

/** Waits until no more events arrive, `most` calls have arrived, or the time is over. */
async function waitUntilQuiet({ site, times }: CheckContext, most = Infinity): Promise<void> {
  const until = performance.now() + times.patienceMs;
  for (let count = 0; count < most && performance.now() < until; count++) {
    const call = await site.nextAnswered(hasEvents, Math.min(quietMs, times.patienceMs));
    if (!call) return;
  }
}
