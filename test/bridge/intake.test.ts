import { describe, expect, it } from "@jest/globals";

import { FrameQueue } from "../../shared/bridge/frame-queue.ts";
import { readFrame } from "../../shared/bridge/frame.ts";
import { Intake } from "../../shared/bridge/intake.ts";

const openIntake = (): Intake => {
  const intake = new Intake(new FrameQueue({ frames: 10, bytes: 1_000 }));
  intake.open(8);
  return intake;
};

describe("Intake", () => {
  it("counts what cannot be read before the hello, and as no progress", () => {
    const intake = openIntake();
    expect(intake.accept(readFrame('{"type":"hello","protocol":"8"}'), 31)).toBeUndefined();
    expect(intake.counters).toMatchObject({ received: 1, rejected: 1 });
    expect(intake.hasProgress).toBe(false);
  });

  it("finds a fault in anything else that comes before it", () => {
    const intake = openIntake();
    const fault = { code: "order", reason: "the first frame is not a hello" };
    expect(intake.accept(readFrame('{"type":"live","head":1}'), 24)).toEqual(fault);
    expect(intake.accept(readFrame('{"type":"weather"}'), 18)).toEqual(fault);
    expect(intake.counters).toMatchObject({ received: 0, ignored: 0 });
  });
});
