import type { Cursor, GapFrame, HelloFrame, StreamGap } from "../frames.ts";

/** How an event stands to those before it: the next one, one that came before, or one too far on. */
export type SeqOrder = "next" | "duplicate" | "hole";

/** Gaps that are remembered until their turn; more than these are ignored. */
const maxAnnouncedGaps = 1_000;

/**
 * How far the stream has come, over all connections, and which gaps are announced.
 * Gaps come before the replay of the events around them, so each waits for its turn. One that ends
 * beyond the buffer's head waits for an event behind it: believed at once, a false one would turn
 * all that follows into duplicates.
 */
export class Sequence {
  #position: { epoch: string; seq: number } | null = null;
  #head = 0;
  #announced: GapFrame[] = [];

  /** The last position seen; null before the first hello without a cursor. */
  get position(): Cursor | null {
    // Before an oldest event of 0 there is no position to name.
    return this.#position && this.#position.seq >= 0 ? { ...this.#position } : null;
  }

  /** Begins after `cursor`, or at whatever the sidecar's oldest event is. */
  resume(cursor: Cursor | null): void {
    this.#position = cursor && { epoch: cursor.epoch, seq: cursor.seq };
    this.#announced = [];
  }

  /** @returns false when the buffer ends before the position we had reached in it */
  begin({ epoch, head, oldest }: HelloFrame): boolean {
    this.#announced = [];
    this.#head = head;
    if (this.#position?.epoch === epoch) return head >= this.#position.seq;
    this.#position = { epoch, seq: oldest - 1 };
    return true;
  }

  /** @returns the gaps whose turn has come */
  announce(gap: GapFrame): StreamGap[] {
    if (this.#announced.length < maxAnnouncedGaps) this.#announced.push(gap);
    this.#announced.sort((one, other) => one.from - other.from);
    return this.#pass(this.#head);
  }

  /** @returns the gaps whose turn has come with the end of replay */
  live(head: number): StreamGap[] {
    this.#head = Math.max(this.#head, head);
    return this.#pass(this.#head);
  }

  /** Moves to the event if it is the next; `onGap` hears first of the gaps that lie before it. */
  advanceTo(seq: number, onGap: (gap: StreamGap) => void): SeqOrder {
    const position = this.#position;
    if (!position || seq <= position.seq) return position ? "duplicate" : "hole";
    if (seq > position.seq + 1) {
      for (const gap of this.#pass(seq - 1)) onGap(gap);
      if (seq > position.seq + 1) return "hole";
    }
    position.seq = seq;
    return "next";
  }

  /** Passes over the next event, which cannot be read. */
  skipNext(reason: string): StreamGap[] {
    return this.#position ? this.skipTo(this.#position.seq + 1, reason) : [];
  }

  /** Passes over all events up to `seq`, which the sidecar left out without a gap. */
  skipTo(seq: number, reason: string): StreamGap[] {
    const position = this.#position;
    if (!position || seq <= position.seq) return [];
    const gap = inEpoch(position, { type: "gap", from: position.seq + 1, to: seq, reason });
    position.seq = seq;
    return [gap];
  }

  /** Moves through the announced gaps that end by `limit`, as far as they reach without a break. */
  #pass(limit: number): StreamGap[] {
    const passed: StreamGap[] = [];
    const position = this.#position;
    if (!position) return passed;
    for (let gap = this.#announced[0]; gap; gap = this.#announced[0]) {
      if (gap.from > position.seq + 1 || gap.to > limit) break;
      this.#announced.shift();
      if (gap.to <= position.seq) continue;
      passed.push(inEpoch(position, { ...gap, from: position.seq + 1 }));
      position.seq = gap.to;
    }
    return passed;
  }
}

const inEpoch = ({ epoch }: Cursor, gap: GapFrame): StreamGap => ({ ...gap, epoch });
