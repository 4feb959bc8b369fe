import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { GapFrame, HelloFrame, StreamGap } from "../../shared/platform/bridge/frames.ts";
import {
  type SequenceCheckResult,
  StreamSequence,
} from "../../shared/platform/bridge/socket/sequence.ts";
import { bootId, epoch, otherEpoch } from "./stream-server.ts";

const helloOf = (head: number, oldest = 1, of = epoch): HelloFrame => ({
  type: "hello",
  protocol: 8,
  epoch: of,
  bootId,
  head,
  oldest,
  pluginConnected: true,
  capabilities: [],
  t: null,
  details: {},
});

const gapOf = (from: number, to: number): GapFrame => ({ type: "gap", from, to, reason: "lost" });

/**
 * Advances the sequence to each seq.
 * @returns the results in order; a gap is written as `from-to`
 */
function place(sequence: StreamSequence, ...seqs: number[]): string[] {
  return seqs.flatMap((seq) => {
    const gaps: StreamGap[] = [];
    const order = sequence.advanceTo(seq, (gap) => gaps.push(gap));
    return [...gaps.map(({ from, to }) => `${from}-${to}`), `${seq} ${order}`];
  });
}

function orderAfter(seen: number, seq: number): SequenceCheckResult {
  if (seq <= seen) return "duplicate";
  return seq === seen + 1 ? "next" : "hole";
}

describe("Sequence", () => {
  it("begins at the oldest event of the game server's buffer if it has no cursor", () => {
    const sequence = new StreamSequence();
    expect(sequence.position).toBeNull();
    expect(sequence.begin(helloOf(9, 4))).toBe(true);
    expect(place(sequence, 4, 5)).toEqual(["4 next", "5 next"]);
    expect(sequence.position).toEqual({ epoch, seq: 5 });
  });

  it("continues after its cursor and reports earlier events as duplicates", () => {
    const sequence = new StreamSequence();
    sequence.resume({ epoch, seq: 7 });
    expect(sequence.begin(helloOf(9))).toBe(true);
    expect(place(sequence, 6, 7, 8, 8, 9)).toEqual([
      "6 duplicate",
      "7 duplicate",
      "8 next",
      "8 duplicate",
      "9 next",
    ]);
  });

  it("starts from the beginning in a recreated buffer", () => {
    const sequence = new StreamSequence();
    sequence.resume({ epoch, seq: 7 });
    expect(sequence.begin(helloOf(2, 1, otherEpoch))).toBe(true);
    expect(place(sequence, 1, 2)).toEqual(["1 next", "2 next"]);
    expect(sequence.position).toEqual({ epoch: otherEpoch, seq: 2 });
  });

  it("refuses a buffer that ends before its cursor", () => {
    const sequence = new StreamSequence();
    sequence.resume({ epoch, seq: 7 });
    expect(sequence.begin(helloOf(6))).toBe(false);
  });

  it("reports a hole and does not advance past it", () => {
    const sequence = new StreamSequence();
    sequence.begin(helloOf(0));
    expect(place(sequence, 1, 3, 2, 3)).toEqual(["1 next", "3 hole", "2 next", "3 next"]);
  });

  it("passes on a gap that was announced before the replay once the replay reaches it", () => {
    const sequence = new StreamSequence();
    sequence.resume({ epoch, seq: 1 });
    sequence.begin(helloOf(9));
    expect(sequence.announce(gapOf(7, 8))).toEqual([]);
    expect(sequence.announce(gapOf(4, 5))).toEqual([]);
    expect(place(sequence, 2, 3, 6, 9)).toEqual([
      "2 next",
      "3 next",
      "4-5",
      "6 next",
      "7-8",
      "9 next",
    ]);
  });

  it("passes on a gap at the end of the buffer when the replay ends", () => {
    const sequence = new StreamSequence();
    sequence.resume({ epoch, seq: 1 });
    sequence.begin(helloOf(9));
    sequence.announce(gapOf(3, 9));
    expect(place(sequence, 2)).toEqual(["2 next"]);
    expect(sequence.endReplay(9)).toEqual([{ ...gapOf(3, 9), epoch }]);
    expect(sequence.position).toEqual({ epoch, seq: 9 });
  });

  it("passes on the unseen part of a gap at once if the gap covers its position", () => {
    const sequence = new StreamSequence();
    sequence.resume({ epoch, seq: 5 });
    sequence.begin(helloOf(9, 8));
    expect(sequence.announce(gapOf(2, 7))).toEqual([{ ...gapOf(6, 7), epoch }]);
    expect(place(sequence, 8, 9)).toEqual(["8 next", "9 next"]);
  });

  it("ignores an impossible gap that ends after the end of the buffer", () => {
    const sequence = new StreamSequence();
    sequence.begin(helloOf(0));
    expect(sequence.announce(gapOf(1, 2 ** 53 - 1))).toEqual([]);
    expect(place(sequence, 1, 2)).toEqual(["1 next", "2 next"]);
  });

  it("skips events on request and reports them as a gap", () => {
    const sequence = new StreamSequence();
    sequence.resume({ epoch, seq: 5 });
    sequence.begin(helloOf(9));
    expect(sequence.skipNext("oversized")).toEqual([
      { type: "gap", epoch, from: 6, to: 6, reason: "oversized" },
    ]);
    expect(sequence.skipTo(8, "hole")).toEqual([
      { type: "gap", epoch, from: 7, to: 8, reason: "hole" },
    ]);
    expect(place(sequence, 9)).toEqual(["9 next"]);
  });

  it("passes on or reports every seq exactly once and in order, for any input", () => {
    const step = fc.oneof(
      fc.record({ seq: fc.nat({ max: 40 }) }),
      fc.record({ from: fc.nat({ max: 40 }), length: fc.nat({ max: 6 }) }),
      fc.record({ live: fc.nat({ max: 40 }) }),
    );
    fc.assert(
      fc.property(fc.nat({ max: 10 }), fc.array(step, { maxLength: 60 }), (after, steps) => {
        const sequence = new StreamSequence();
        sequence.resume({ epoch, seq: after });
        sequence.begin(helloOf(20));
        let seen = after;
        const pass = ({ from, to }: StreamGap): void => {
          expect(from).toBe(seen + 1);
          expect(to).toBeGreaterThanOrEqual(from);
          seen = to;
        };
        const apply = (each: (typeof steps)[number]): SequenceCheckResult | undefined => {
          if ("live" in each) sequence.endReplay(each.live).forEach(pass);
          else if ("seq" in each) return sequence.advanceTo(each.seq, pass);
          else sequence.announce(gapOf(each.from, each.from + each.length)).forEach(pass);
          return undefined;
        };
        for (const each of steps) {
          const order = apply(each);
          const seq = "seq" in each ? each.seq : seen;
          expect(order ?? orderAfter(seen, seq)).toBe(orderAfter(seen, seq));
          if (order === "next") seen = seq;
          expect(sequence.position).toEqual({ epoch, seq: seen });
        }
      }),
    );
  });
});
