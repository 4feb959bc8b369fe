import { describe, expect, it } from "vitest";

import { Backoff } from "../../shared/platform/time/backoff.ts";

const waits = (backoff: Backoff, count: number) =>
  Array.from({ length: count }, () => backoff.next());

describe("Backoff", () => {
  it("doubles its maximum wait after each attempt up to a limit, and starts over after a reset", () => {
    const backoff = new Backoff(1_000, 60_000, () => 1);
    const bounds = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000];
    expect(waits(backoff, 8)).toEqual(bounds);
    backoff.reset();
    expect(waits(backoff, 2)).toEqual([1_000, 2_000]);
  });

  it("waits a random time, at most its current maximum wait", () => {
    let random = 0;
    const backoff = new Backoff(1_000, 60_000, () => (random += 0.25));
    expect(waits(backoff, 3)).toEqual([250, 1_000, 3_000]);
  });

  it("stays at the maximum after thousands of attempts", () => {
    const backoff = new Backoff(1_000, 60_000, () => 1);
    expect(waits(backoff, 5_000).at(-1)).toBe(60_000);
  });
});
