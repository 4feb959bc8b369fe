import { EventJudge } from "../payloads/event-judge.ts";
import { excerptOf } from "../report/excerpt.ts";
import { type Batch, readBatch } from "../site/batch.ts";
import type { Call } from "../site/call.ts";
import { earlierCalls, wasUnanswered, type WatchContext } from "./context.ts";

const limits = { events: 500, callBytes: 1024 * 1024, eventBytes: 256 * 1024 } as const;

/** The highest `seq` that the site has confirmed to the plugin as stored. */
interface ConfirmedSeq {
  readonly epoch: string;
  readonly seq: number;
  readonly sinceMs: number;
}

export class BatchWatch {
  readonly #watched: WatchContext;
  readonly judge: EventJudge;
  #known: ConfirmedSeq | null = null;

  constructor(watched: WatchContext) {
    this.#watched = watched;
    this.judge = new EventJudge(watched.report, watched.game);
  }

  begun(call: Call): void {
    const open = earlierCalls(this.#watched, call).find((one) =>
      wasUnanswered(one, call.startedMs),
    );
    this.#watched.report.judge("events.single", open === undefined, () => ({
      expected: "no POST /events while another one has no answer",
      got: `call ${call.number} began while call ${open?.number} was open`,
    }));
  }

  arrived(call: Call): void {
    const { report, onEvent } = this.#watched;
    const memory = this.#watched.memory();
    const batch = readBatch(call);
    if (typeof batch === "string") {
      const bytes = excerptOf(call.text);
      return report.fail("events.body", {
        expected: "a valid body of POST /events",
        got: batch,
        bytes,
      });
    }
    this.#judgeLimits(call, batch);
    for (const { value, text } of batch.events) {
      const { epoch, bootId } = batch;
      const event = this.judge.accept({ epoch, bootId, value, text });
      if (event) onEvent(event);
    }
    // Do not check the order before the next hello, because the plugin cannot know the cursor yet.
    if (memory.needsHello) return;
    if (this.#judgeIdentity(call, batch)) this.#judgeOrder(call, batch);
  }

  /** Records the cursor that an answer tells the plugin. */
  answered(call: Call): void {
    if (typeof call.answer !== "object" || call.answer.status !== 200) return;
    const body = call.answer.body as { seq?: number; cursor?: { seq: number } | null };
    const { epoch = "", oldest = 0 } = this.#watched.memory().hello ?? {};
    const seq = call.endpoint === "hello" ? (body.cursor?.seq ?? oldest - 1) : body.seq;
    if (seq !== undefined) this.#known = { epoch, seq, sinceMs: performance.now() };
  }

  #judgeLimits(call: Call, { events }: Batch): void {
    const large = events.find(({ text }) => Buffer.byteLength(text) > limits.eventBytes);
    const isWithin =
      events.length <= limits.events && call.bytes <= limits.callBytes && large === undefined;
    this.#watched.report.judge("events.limits", isWithin, () => ({
      expected: "at most 500 events, 1 MiB, and 256 KiB for each event",
      got: large
        ? `seq ${large.seq} has ${Buffer.byteLength(large.text)} bytes`
        : `${events.length} events, ${call.bytes} bytes`,
      bytes: excerptOf(large?.text ?? call.text),
    }));
  }

  #judgeIdentity(call: Call, { epoch, bootId }: Batch): boolean {
    const { report } = this.#watched;
    const memory = this.#watched.memory();
    const isRight =
      epoch === memory.hello?.epoch && String(bootId).toLowerCase() === memory.hello.bootId;
    report.judge("events.body", isRight, () => ({
      expected: `epoch ${memory.hello?.epoch}, bootId ${memory.hello?.bootId}`,
      got: `epoch ${epoch}, bootId ${String(bootId)}`,
      bytes: excerptOf(call.text),
    }));
    return isRight;
  }

  #judgeOrder(call: Call, batch: Batch): void {
    const { report } = this.#watched;
    const memory = this.#watched.memory();
    const judged = memory.judge(batch);
    const [first] = batch.events;
    if (!judged.isTaken) {
      return report.fail("events.sequence", {
        expected: `seq ${judged.expected}`,
        got: judged.reason,
        bytes: excerptOf(first?.text ?? call.text),
      });
    }
    if (first) report.pass("events.sequence");
    const known = this.#known;
    if (!first || known?.epoch !== batch.epoch || call.startedMs < known.sinceMs) return;
    report.judge("events.once", first.seq > known.seq, () => ({
      expected: `seq ${known.seq + 1} or higher: the site answered that ${known.seq} is stored`,
      got: `seq ${first.seq}`,
      bytes: excerptOf(first.text),
    }));
  }
}
