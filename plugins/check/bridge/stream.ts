import { requestResync } from "./commands.ts";
import {
  type CheckContext,
  type Check,
  hasLiveFrame,
  openConnection,
  waitForFrames,
  runAfterReplay,
} from "./context.ts";

export const streamCheck: Check = {
  name: "stream",
  does: "reads the whole buffer and waits for an event of the game",
  run: async (bench) => {
    const { report, patienceMs, mayCommand } = bench;
    const listening = await openConnection(bench, null);
    if (typeof listening === "string") {
      return reportAllUnseen(bench, `the stream was not opened: ${listening}`);
    }
    try {
      if (!(await waitForFrames(listening, hasLiveFrame, patienceMs))) {
        return reportAllUnseen(
          bench,
          listening.stream.closedBecause ?? "the sidecar sent no frame live",
        );
      }
      if (mayCommand) await requestResync(bench);
      const isNew = await waitForFrames(
        listening,
        ({ events }) => events.some(({ isReplay }) => !isReplay),
        patienceMs,
      );
      if (!isNew) report.notSeen("stream.live", noEvent(bench));
    } finally {
      await listening.stream.close();
    }
  },
};

const noEvent = ({ patienceMs }: CheckContext): string =>
  `the game sent no event in ${patienceMs / 1_000} s: do something in the game during the check`;

function reportAllUnseen({ report }: CheckContext, why: string): void {
  const ids = ["stream.hello", "stream.frames", "stream.order", "stream.sequence"] as const;
  for (const id of [...ids, "stream.replay", "stream.live"] as const) report.notSeen(id, why);
}

/** Checks the payloads of all events in the buffer. Without events, the results are unknown. */
export const payloadsCheck: Check = {
  name: "payloads",
  does: "checks the payload of every event in the buffer",
  run: readBuffer,
};

export const snapshotsCheck: Check = {
  name: "snapshots",
  does: "checks that snapshots are complete; with --commands, requests snapshots",
  run: async (bench) => {
    if (bench.game === "rust") {
      return bench.report.skip(
        "snapshots.whole",
        "survival servers send their states without snapshots",
      );
    }
    bench.report.notSeen(
      "snapshots.whole",
      "no complete snapshot came: run the check with --commands, which requests snapshots",
    );
    await readBuffer(bench);
  },
};

export const eventsCheck: Check = {
  name: "events",
  does: "checks the form of every event",
  run: readBuffer,
};

/** Reads the events of the buffer, unless an earlier check has received events. */
async function readBuffer(bench: CheckContext): Promise<void> {
  if (bench.events.kinds.size > 0) return;
  const fault = await runAfterReplay(bench, null, () => undefined);
  const why = fault ?? "the buffer is empty";
  const ids = ["events.envelope", "events.unchanged", "events.keys", "payloads.kinds"] as const;
  for (const id of [...ids, "payloads.fields"] as const) bench.report.notSeen(id, why);
}
