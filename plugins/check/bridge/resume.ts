import { randomUUID } from "node:crypto";

import { type CheckContext, type Check, runAfterReplay } from "./context.ts";
import type { ReceivedFrames } from "./frame-judge.ts";

export const resumeCheck: Check = {
  name: "resume",
  does: "reconnects with a cursor in the buffer, at its end, before its start, and of another epoch",
  run: async (bench) => {
    const first = await readReplay(bench, null);
    if (typeof first === "string") return reportAllUnseen(bench, first);
    if (!first.hello) return reportAllUnseen(bench, "the sidecar sent no hello");
    const { epoch, oldest, head } = first.hello;
    await resumeAfter(bench, first, epoch);
    await resumeHead(bench, { epoch, seq: head });
    await resumeOtherEpoch(bench);
    if (oldest < 2) {
      const why = "the buffer still contains its first event";
      return bench.report.notSeen("resume.gap", why);
    }
    await resumeGap(bench, { epoch, seq: Math.max(0, oldest - 3) });
  },
};

type ReplayCursor = Parameters<typeof runAfterReplay>[1];

/** Returns all frames of a connection up to the end of its replay, or the reason as a text if that fails. */
async function readReplay(
  bench: CheckContext,
  cursor: ReplayCursor,
): Promise<ReceivedFrames | string> {
  let heard: ReceivedFrames | undefined;
  const fault = await runAfterReplay(bench, cursor, ({ judge }) => {
    heard = judge.received;
  });
  return heard ?? fault ?? "the sidecar sent no frame";
}

function reportAllUnseen({ report }: CheckContext, why: string): void {
  for (const id of ["resume.after", "resume.head", "resume.epoch", "resume.gap"] as const) {
    report.notSeen(id, why);
  }
}

const replayed = ({ events }: ReceivedFrames): number[] =>
  events.filter(({ isReplay }) => isReplay).map(({ seq }) => seq);

async function resumeAfter(
  bench: CheckContext,
  first: ReceivedFrames,
  epoch: string,
): Promise<void> {
  const { report } = bench;
  const seqs = replayed(first);
  const seq = seqs[Math.floor((seqs.length - 1) / 2)];
  if (seq === undefined || seqs.length < 2) {
    return report.notSeen("resume.after", "the buffer has fewer than two events");
  }
  const expected = seqs.find((one) => one > seq);
  const heard = await readReplay(bench, { epoch, seq });
  const got = typeof heard === "string" ? heard : `seq ${replayed(heard)[0] ?? "none"}`;
  report.judge("resume.after", got === `seq ${expected}`, () => ({
    expected: `seq ${expected} as the first event with after=${seq}`,
    got,
  }));
}

async function resumeHead(
  bench: CheckContext,
  cursor: { epoch: string; seq: number },
): Promise<void> {
  const heard = await readReplay(bench, cursor);
  const isEarly = typeof heard !== "string" && replayed(heard).some((seq) => seq <= cursor.seq);
  bench.report.judge("resume.head", typeof heard !== "string" && !isEarly, () => ({
    expected: `no event up to ${cursor.seq} with after=${cursor.seq}`,
    got: typeof heard === "string" ? heard : `seq ${replayed(heard).join(", ").slice(0, 200)}`,
  }));
}

async function resumeOtherEpoch(bench: CheckContext): Promise<void> {
  const { report } = bench;
  const heard = await readReplay(bench, { epoch: randomUUID(), seq: 1_000_000 });
  if (typeof heard === "string") {
    const expected = "the buffer from its oldest event on";
    return report.fail("resume.epoch", { expected, got: heard });
  }
  const [first] = replayed(heard);
  const { oldest = 0, head = 0 } = heard.hello ?? {};
  const isWhole = oldest > head ? first === undefined : first === oldest;
  report.judge("resume.epoch", isWhole && heard.gaps.every(({ from }) => from >= oldest), () => ({
    expected: `seq ${oldest} as the first event, and no gap before it`,
    got: `seq ${first ?? "none"}, ${heard.gaps.length} gaps`,
  }));
}

async function resumeGap(
  bench: CheckContext,
  cursor: { epoch: string; seq: number },
): Promise<void> {
  const heard = await readReplay(bench, cursor);
  const gaps = typeof heard === "string" ? [] : heard.gaps;
  const oldest = typeof heard === "string" ? 0 : (heard.hello?.oldest ?? 0);
  const isTold = gaps.some(({ from, to }) => from <= cursor.seq + 1 && to >= oldest - 1);
  bench.report.judge("resume.gap", isTold, () => ({
    expected: `a gap from ${cursor.seq + 1} to ${oldest - 1} with after=${cursor.seq}`,
    got: typeof heard === "string" ? heard : JSON.stringify(gaps).slice(0, 200),
  }));
}
