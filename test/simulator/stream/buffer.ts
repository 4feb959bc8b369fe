import type { BufferedEvent, EventDraft, Gap, Payload } from "./event.ts";
import { noJournal } from "./journal.ts";
import type { Journal, JournalLine } from "./journal.ts";

export interface BufferOptions {
  /** Returns a new UUID. A buffer that is created again needs a new epoch. */
  readonly newEpoch: () => string;
  readonly clock: () => number;
  readonly journal?: Journal | undefined;
  /** An acknowledged event is dropped after this many newer events, or at the age `keepMs` (milliseconds). */
  readonly keepRows: number;
  readonly keepMs: number;
  /**
   * The number of events beyond which events that are not acknowledged are dropped too. The loss is
   * reported as a gap.
   */
  readonly maxRows: number;
}

/** The durable buffer of the sidecar. In an epoch, each event has the next `seq`. */
export class EventBuffer {
  /** All events of all epochs, including those that were dropped. */
  readonly log: BufferedEvent[] = [];
  readonly #options: BufferOptions;
  readonly #journal: Journal;
  /** The events in the buffer. No seq is missing: a lost event keeps its place and is marked as lost. */
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

  /** The oldest seq that can still be sent. If no event can be sent, it is one more than the head. */
  get oldest(): number {
    const held = this.#rows.findIndex((row) => !row.lost);
    return held === -1 ? this.head + 1 : this.#first + held;
  }

  get acked(): number {
    return this.#acked;
  }

  /** Registers a function that is called after each new event. */
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

  /** Replaces the payload of an obsolete event by a smaller one. */
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

  /**
   * Returns the range of lost events that begins at `seq`, or undefined if the event is not lost.
   */
  lossAt(seq: number): Gap | undefined {
    if (this.at(seq)?.lost !== true) return undefined;
    let to = seq;
    while (this.at(to + 1)?.lost === true) to++;
    return { from: seq, to, reason: "lost" };
  }

  /** Returns the gaps after the seq `after`, in order. */
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

  /**
   * Acknowledges events up to `seq`. Ignores a wrong epoch, an older seq and a seq beyond the head.
   */
  ack(epoch: string, seq: number): void {
    if (epoch !== this.#epoch || seq <= this.#acked || seq > this.head) return;
    this.#acked = seq;
    this.#journal.write({ acked: seq });
    this.#trim();
  }

  /** Loses all events that are appended during the callback. Calls the listeners after the callback. */
  lose(during: () => void): void {
    this.#losing = true;
    during();
    this.#losing = false;
    this.#tell();
  }

  /** Loses the oldest events, even if they are not acknowledged. */
  forget(count: number): void {
    this.#drop(Math.min(count, this.#rows.length));
  }

  /**
   * Begins a new epoch with an empty buffer, as after the loss of a disk. The game then repeats its
   * newest events that have keys.
   */
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

  /**
   * Returns how many events to drop. Dropping single events from a long array is slow, so drops none until the
   * limit is exceeded by a tenth.
   */
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
