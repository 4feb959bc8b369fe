import type { BufferedEvent, EventDraft, Gap, Payload } from "./event.ts";
import { noJournal } from "./journal.ts";
import type { Journal, JournalLine } from "./journal.ts";

export interface BufferOptions {
  /** Returns a new uuid, because a recreated buffer needs a new epoch. */
  readonly newEpoch: () => string;
  readonly clock: () => number;
  readonly journal?: Journal | undefined;
  /** Acknowledged events stay until this many newer ones exist or until they are this old. */
  readonly keepRows: number;
  readonly keepMs: number;
  /** Beyond this number even unacknowledged events are dropped, which is reported as a gap. */
  readonly maxRows: number;
}

/** The sidecar's durable buffer; `seq` grows by one per event within an epoch. */
export class EventBuffer {
  /** All events ever appended, including dropped ones, of all epochs. */
  readonly log: BufferedEvent[] = [];
  readonly #options: BufferOptions;
  readonly #journal: Journal;
  /** Contiguous by seq; lost events keep their place and are marked. */
  #rows: BufferedEvent[] = [];
  #first = 1;
  #epoch = "";
  #acked = 0;
  #losing = false;
  readonly #listeners: (() => void)[] = [];

  constructor(options: BufferOptions) {
    this.#options = options;
    this.#journal = options.journal ?? noJournal;
    for (const line of this.#journal.past) this.#recall(line);
    if (this.#epoch === "") this.#begin(options.newEpoch());
  }

  get epoch(): string {
    return this.#epoch;
  }

  get head(): number {
    return this.#first + this.#rows.length - 1;
  }

  /** The oldest seq that can still be sent; the head plus one if there is none. */
  get oldest(): number {
    const held = this.#rows.findIndex((row) => !row.lost);
    return held === -1 ? this.head + 1 : this.#first + held;
  }

  get acked(): number {
    return this.#acked;
  }

  /** Registers a listener that is called after each append. */
  onAppend(listener: () => void): void {
    this.#listeners.push(listener);
  }

  append(draft: EventDraft): BufferedEvent {
    const event: BufferedEvent = {
      epoch: this.#epoch,
      seq: this.head + 1,
      bootId: draft.bootId,
      ...(draft.saveId === undefined ? {} : { saveId: draft.saveId }),
      eventKey: draft.eventKey,
      kind: draft.kind,
      t: draft.t,
      payload: draft.payload,
      at: this.#options.clock(),
      form: draft.form,
      lost: this.#losing,
    };
    this.#journal.write({ event });
    this.#hold(event);
    this.#trim();
    if (!this.#losing) this.#tell();
    return event;
  }

  /** Replaces an event's payload with a smaller one once it is obsolete. */
  slim(event: BufferedEvent, payload: Payload): void {
    const less: BufferedEvent = { ...event, payload };
    const logged = this.log.lastIndexOf(event);
    if (logged !== -1) this.log[logged] = less;
    if (event.epoch === this.#epoch && this.at(event.seq) === event) {
      this.#rows[event.seq - this.#first] = less;
    }
  }

  at(seq: number): BufferedEvent | undefined {
    return this.#rows[seq - this.#first];
  }

  /** Returns the range of lost events that starts at `seq`; undefined if it is not lost. */
  lossAt(seq: number): Gap | undefined {
    if (this.at(seq)?.lost !== true) return undefined;
    let to = seq;
    while (this.at(to + 1)?.lost === true) to++;
    return { from: seq, to, reason: "lost" };
  }

  /** Returns the gaps between `after` and the head, in order. */
  gapsAfter(after: number): Gap[] {
    const gaps: Gap[] = [];
    const dropped = this.#first - 1;
    if (after < dropped) gaps.push({ from: after + 1, to: dropped, reason: "dropped" });
    for (let seq = Math.max(after, dropped) + 1; seq <= this.head; seq++) {
      const loss = this.lossAt(seq);
      if (loss === undefined) continue;
      gaps.push(loss);
      seq = loss.to;
    }
    return gaps;
  }

  /** Ignored for another epoch, an older seq, or one beyond the head. */
  ack(epoch: string, seq: number): void {
    if (epoch !== this.#epoch || seq <= this.#acked || seq > this.head) return;
    this.#acked = seq;
    this.#journal.write({ acked: seq });
    this.#trim();
  }

  /** Loses all events appended during a callback, and notifies listeners only afterwards. */
  lose(during: () => void): void {
    this.#losing = true;
    during();
    this.#losing = false;
    this.#tell();
  }

  /** Loses its oldest rows, acknowledged or not. */
  forget(count: number): void {
    this.#drop(Math.min(count, this.#rows.length));
  }

  /** Starts a new epoch, as after a lost disk. The game sends its newest `repeat` events with keys again first. */
  recreate(repeat: number): void {
    const keyed = this.#rows.filter((row) => row.eventKey !== null && !row.lost);
    this.#begin(this.#options.newEpoch());
    for (const row of repeat > 0 ? keyed.slice(-repeat) : []) this.append(row);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  #recall(line: JournalLine): void {
    if ("epoch" in line) this.#start(line.epoch);
    if ("event" in line) this.#hold(line.event);
    if ("acked" in line) this.#acked = line.acked;
    if ("dropped" in line) this.#rows.splice(0, line.dropped - this.#first + 1);
    if ("dropped" in line) this.#first = line.dropped + 1;
  }

  #begin(epoch: string): void {
    this.#journal.write({ epoch });
    this.#start(epoch);
  }

  #start(epoch: string): void {
    this.#epoch = epoch;
    this.#rows = [];
    this.#first = 1;
    this.#acked = 0;
  }

  #hold(event: BufferedEvent): void {
    this.#rows.push(event);
    this.log.push(event);
  }

  #trim(): void {
    const { keepRows, keepMs, maxRows, clock } = this.#options;
    const before = clock() - keepMs;
    const acked = this.#acked - this.#first + 1;
    let count = Math.max(this.#surplus(maxRows), Math.min(this.#surplus(keepRows), acked));
    while (count < acked && (this.#rows[count]?.at ?? before) < before) count++;
    this.#drop(count);
  }

  /** Zero until the surplus reaches a tenth, because shifting the array per event is slow. */
  #surplus(allowed: number): number {
    const surplus = this.#rows.length - allowed;
    return surplus > allowed / 10 ? surplus : 0;
  }

  #drop(count: number): void {
    if (count <= 0) return;
    this.#rows.splice(0, count);
    this.#first += count;
    this.#journal.write({ dropped: this.#first - 1 });
  }
}
