import { setTimeout as sleep } from "node:timers/promises";

import { parseDeepObject } from "../../../shared/platform/bridge/json-text.ts";
import {
  type CheckContext,
  type Check,
  openConnection,
  type StreamConnection,
  hasLiveFrame,
  waitForFrames,
} from "./context.ts";
import { requestRefusedStream, findingOf, isRefused } from "./refused.ts";

/** How long to wait after an ack: a sidecar that rejects it closes the connection within this time. */
const ackRejectionMs = 1_000;

export const clientsCheck: Check = {
  name: "clients",
  does: "opens the stream twice at once, sends pings and acknowledges events",
  run: async (bench) => {
    const { report } = bench;
    const listening = await openConnection(bench, null);
    if (typeof listening === "string") {
      for (const id of [
        "clients.locked",
        "clients.freed",
        "clients.ping",
        "clients.ack",
      ] as const) {
        report.notSeen(id, `the stream was not opened: ${listening}`);
      }
      return;
    }
    await judgeSecond(bench);
    await waitForFrames(listening, hasLiveFrame, bench.patienceMs);
    report.judge("clients.ping", await listening.stream.ping(bench.soonMs), () => ({
      expected: `a pong within ${bench.soonMs / 1_000} s of a ping`,
      got: listening.stream.closedBecause ?? "none",
    }));
    await judgeAck(listening, bench);
    await listening.stream.close();
    await judgeFreed(listening, bench);
  },
};

async function judgeSecond(bench: CheckContext): Promise<void> {
  const second = await requestRefusedStream(bench, bench);
  const body = second.how === "refused" ? parseDeepObject(second.text) : undefined;
  const isLocked = isRefused(second, 423) && body?.["code"] === "LOCKED";
  bench.report.judge("clients.locked", isLocked, () =>
    findingOf(423, second, '{ "code": "LOCKED" }'),
  );
}

async function judgeAck(
  { stream, judge }: StreamConnection,
  { report, soonMs }: CheckContext,
): Promise<void> {
  const { hello, events } = judge.received;
  const seq = events.at(-1)?.seq;
  if (!hello || seq === undefined) return report.notSeen("clients.ack", "the buffer is empty");
  stream.send({ type: "ack", epoch: hello.epoch, seq });
  await sleep(ackRejectionMs);
  report.judge("clients.ack", await stream.ping(soonMs), () => ({
    expected: `the connection stays open after an ack of ${seq}`,
    got: stream.closedBecause ?? "no pong after the ack",
  }));
}

/**
 * Checks that a new client is accepted after the previous client disconnected, and that acknowledged events are
 * replayed.
 */
async function judgeFreed({ judge }: StreamConnection, bench: CheckContext): Promise<void> {
  const { report } = bench;
  const next = await openConnection(bench, null);
  report.judge("clients.freed", typeof next !== "string", () => ({
    expected: `the stream opens within ${bench.soonMs / 1_000} s after the last client disconnected`,
    got: typeof next === "string" ? next : "",
  }));
  if (typeof next === "string") return;
  await waitForFrames(next, hasLiveFrame, bench.patienceMs);
  await next.stream.close();
  const [first] = judge.received.events;
  const isThere = next.judge.received.events.some(({ seq }) => seq === first?.seq);
  if (!first || isThere) return;
  report.fail("clients.ack", {
    expected: `seq ${first.seq} in the buffer for 7 days after its ack`,
    got: `seq ${next.judge.received.events[0]?.seq ?? "none"} as the first event`,
  });
}
