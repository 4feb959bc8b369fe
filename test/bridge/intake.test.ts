import { describe, expect, it } from "vitest";

import { readFrame } from "../../shared/platform/bridge/frame.ts";
import { FrameQueue } from "../../shared/platform/bridge/socket/frame-queue.ts";
import { FrameIntake } from "../../shared/platform/bridge/socket/intake.ts";

const queueOf = (frames = 10, bytes = 1_000) => new FrameQueue<number>({ frames, bytes });

describe("FrameQueue", () => {
  it("returns the waiting frames, oldest first, up to the requested number", async () => {
    const queue = queueOf();
    for (const frame of [1, 2, 3]) queue.put(frame, 1);
    expect(await queue.take(2)).toEqual([1, 2]);
    expect(await queue.take(2)).toEqual([3]);
    expect(queue.length).toBe(0);
  });

  it("waits for the first frame and returns all frames that arrive in the same event-loop turn", async () => {
    const queue = queueOf();
    const taken = queue.take(10);
    for (const frame of [1, 2, 3]) queue.put(frame, 1);
    expect(await taken).toEqual([1, 2, 3]);
  });

  it("keeps waiting if the queue is cleared before the waiter resumes", async () => {
    const queue = queueOf();
    const taken = queue.take(10);
    queue.put(1, 1);
    queue.clear();
    queue.put(2, 1);
    expect(await taken).toEqual([2]);
  });

  it("is full at its limit of frames or bytes, and has room again at half of both limits", async () => {
    const byNumber = queueOf(4);
    for (const frame of [1, 2, 3, 4]) byNumber.put(frame, 1);
    expect(byNumber.isFull).toBe(false);
    byNumber.put(5, 1);
    expect(byNumber.isFull).toBe(true);
    await byNumber.take(2);
    expect([byNumber.isFull, byNumber.hasRoom]).toEqual([false, false]);
    await byNumber.take(1);
    expect(byNumber.hasRoom).toBe(true);

    const byBytes = queueOf();
    byBytes.put(1, 1_001);
    expect([byBytes.isFull, byBytes.hasRoom]).toEqual([true, false]);
    await byBytes.take(1);
    expect([byBytes.isFull, byBytes.hasRoom]).toEqual([false, true]);
  });

  it("rejects an aborted wait with the signal's reason and loses no frame", async () => {
    const queue = queueOf();
    const waiting = new AbortController();
    const taken = queue.take(10, waiting.signal);
    waiting.abort(new Error("enough"));
    await expect(taken).rejects.toThrow("enough");
    queue.put(1, 1);
    await expect(queue.take(10, waiting.signal)).rejects.toThrow("enough");
    expect(await queue.take(10)).toEqual([1]);
  });

  it("rejects an aborted wait even if the queue was filled and cleared just before", async () => {
    const queue = queueOf();
    const waiting = new AbortController();
    const taken = queue.take(10, waiting.signal);
    queue.put(1, 1);
    queue.clear();
    await Promise.resolve();
    waiting.abort(new Error("enough"));
    await expect(taken).rejects.toThrow("enough");
  });

  it("rejects current and later waits once it is closed", async () => {
    const queue = queueOf();
    const taken = queue.take(10);
    queue.close();
    await expect(taken).rejects.toThrow("the bridge socket was stopped");
    await expect(queue.take(10)).rejects.toThrow("the bridge socket was stopped");
  });
});

const openIntake = (): FrameIntake => {
  const intake = new FrameIntake(new FrameQueue({ frames: 10, bytes: 1_000 }));
  intake.open(8);
  return intake;
};

describe("Intake", () => {
  it("counts an unreadable frame before the hello as rejected, and not as the first frame", () => {
    const intake = openIntake();
    expect(intake.accept(readFrame('{"type":"hello","protocol":"8"}'), 31)).toBeUndefined();
    expect(intake.counters).toMatchObject({ received: 1, rejected: 1 });
    expect(intake.hasProgress).toBe(false);
  });

  it("reports a fault if the first readable frame is not a hello", () => {
    const intake = openIntake();
    const fault = { code: "order", reason: "the first frame is not a hello" };
    expect(intake.accept(readFrame('{"type":"live","head":1}'), 24)).toEqual(fault);
    expect(intake.accept(readFrame('{"type":"weather"}'), 18)).toEqual(fault);
    expect(intake.counters).toMatchObject({ received: 0, ignored: 0 });
  });
});
