import type { Game } from "../payloads/payload-faults.ts";
import { type Batch, readBatch, type SentGap } from "./batch.ts";
import { type Answer, type Call, refuse } from "./call.ts";
import { hasValidBufferRange, type Hello, readHello, wrongFields } from "./hello.ts";

export type BatchDecision =
  | { readonly isTaken: true; readonly seq: number }
  | { readonly isTaken: false; readonly expected: number; readonly reason: string };

/** The state of a correctly working site. It answers the hellos and events of a plugin. */
export class SiteMemory {
  readonly #game: Game;
  /** By epoch: the highest `seq` that is stored. */
  readonly #stored = new Map<string, number>();
  /** By epoch: the `seq` before its first event. */
  readonly #bases = new Map<string, number>();
  #hello: Hello | null = null;
  #needsHello = true;
  /** The families of states that the answer to each hello asks for. */
  resync: readonly string[] = [];

  constructor(game: Game) {
    this.#game = game;
  }

  get hello(): Hello | null {
    return this.#hello;
  }

  /** True if every call except a hello is answered with 409. */
  get needsHello(): boolean {
    return this.#needsHello;
  }

  /** The highest stored `seq`; `oldest - 1` if nothing is stored. */
  get position(): number {
    const { epoch = "", oldest = 0 } = this.#hello ?? {};
    return this.#stored.get(epoch) ?? oldest - 1;
  }

  get storedCount(): number {
    const base = this.#bases.get(this.#hello?.epoch ?? "");
    return base === undefined ? 0 : this.position - base;
  }

  requireHello(): void {
    this.#needsHello = true;
  }

  /** Forgets events after a `seq`, like a site that was restored from a backup. */
  rewindTo(seq: number): void {
    if (this.#hello) this.#stored.set(this.#hello.epoch, seq);
  }

  answerHello({ json }: Call): Answer {
    const [wrong] = json ? wrongFields(json, this.#game) : [{ field: "body" }];
    if (!json || wrong) return refuse(400, "INVALID", { field: wrong?.field });
    if (!hasValidBufferRange(json)) return refuse(400, "INVALID", { field: "oldest" });
    const hello = readHello(json);
    const seq = this.#stored.get(hello.epoch);
    if (seq !== undefined && hello.head < seq) return refuse(409, "EPOCH");
    this.#hello = hello;
    if (!this.#bases.has(hello.epoch)) this.#bases.set(hello.epoch, hello.oldest - 1);
    this.#needsHello = false;
    return {
      status: 200,
      body: {
        cursor: seq === undefined ? null : { epoch: hello.epoch, seq },
        resync: this.resync,
        pollSeconds: 25,
        maxEvents: 500,
        maxBytes: 1024 * 1024,
        now: Date.now(),
      },
    };
  }

  answerEvents(call: Call): Answer {
    const batch = readBatch(call);
    if (typeof batch === "string") return refuse(400, "INVALID", { reason: batch });
    if (this.#needsHello) return refuse(409, "HELLO");
    if (batch.epoch !== this.#hello?.epoch) return refuse(409, "EPOCH");
    const judged = this.judge(batch);
    if (!judged.isTaken) return refuse(409, "SEQUENCE", { expected: judged.expected });
    this.#stored.set(batch.epoch, judged.seq);
    return { status: 200, body: { seq: judged.seq } };
  }

  /** Checks if the events of a call continue the stored ones. It does not store them. */
  judge({ events, gap }: Batch): BatchDecision {
    const next = this.position + 1;
    const [first] = events;
    const fault = (gap && gapFault(gap, first?.seq, next)) ?? holeIn(events);
    if (fault) return { isTaken: false, ...fault };
    const afterGap = Math.max(next, gap ? gap.to + 1 : 0);
    if (first && first.seq > afterGap) {
      return { isTaken: false, expected: afterGap, reason: `the first event is ${first.seq}` };
    }
    return { isTaken: true, seq: Math.max(afterGap - 1, events.at(-1)?.seq ?? 0) };
  }
}

interface OrderFault {
  readonly expected: number;
  readonly reason: string;
}

function gapFault(gap: SentGap, first: number | undefined, next: number): OrderFault | undefined {
  if (gap.from > next) return { expected: next, reason: `the gap begins at ${gap.from}` };
  if (first === undefined || first === gap.to + 1) return undefined;
  const reason = `the gap ends at ${gap.to}, the first event is ${first}`;
  return { expected: gap.to + 1, reason };
}

/** Returns the first event whose `seq` is not that of the previous event plus one. */
function holeIn(events: Batch["events"]): OrderFault | undefined {
  const start = events[0]?.seq ?? 0;
  const at = events.findIndex(({ seq }, index) => seq !== start + index);
  if (at === -1) return undefined;
  return { expected: start + at, reason: `events[${at}] is ${events[at]?.seq}` };
}
