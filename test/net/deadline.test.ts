import { setImmediate as nextTurn } from "node:timers/promises";

import { describe, expect, it } from "vitest";

import { startDeadline } from "../../shared/platform/net/deadline.ts";
import { waitUntil } from "../support/clock/wait.ts";

const standStill = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

describe("a deadline", () => {
  it("aborts its signal with a TimeoutError when the time is over", async () => {
    const deadline = startDeadline(20);
    await waitUntil("it is over", () => deadline.signal.aborted);
    expect((deadline.signal.reason as Error).name).toBe("TimeoutError");
  });

  it("does not expire right after the process was blocked, so that pending input is read first", async () => {
    const deadline = startDeadline(20);
    standStill(300);
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    expect(deadline.signal.aborted).toBe(false);
    await waitUntil("it is over", () => deadline.signal.aborted);
  });

  it("does not count the time in which the process was blocked", async () => {
    // The deadline measures blocked time in steps of a quarter second, so allow for one step.
    const [ms, stoodStillMs, toleranceMs] = [1_500, 1_200, 260];
    const startedAt = performance.now();
    const deadline = startDeadline(ms);
    standStill(stoodStillMs);
    await waitUntil("it is over", () => deadline.signal.aborted);
    expect(performance.now() - startedAt - stoodStillMs).toBeGreaterThan(ms - toleranceMs);
  });

  it("never expires after it was cleared", async () => {
    const [one, other] = [startDeadline(20), startDeadline(40)];
    one.clear();
    await waitUntil("the other one is over", () => other.signal.aborted);
    expect(one.signal.aborted).toBe(false);
  });
});
