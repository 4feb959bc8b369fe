import type { Cursor, GapFrame, HelloFrame, StreamGap } from "../frames.ts";

/** The place of an event in the sequence: the next event, a received event, or an event after a hole. */
export type SequenceCheckResult = "next" | "duplicate" | "hole";

/** Maximum number of announced gaps to keep. Further gaps are ignored. */
const maxAnnouncedGaps = 1_000;

/**
 * The position of the stream over all connections, and the announced gaps. A gap is announced before the events
 * around the gap are replayed, so the position moves past the gap only when the replay arrives there. If a gap
 * ends beyond the buffer's head, the position moves past the gap only at a later event: if the gap were false,
 * all its events would count as duplicates.
 */
export class StreamSequence {
  #position: { epoch: string; seq: number } | null = null;
  #head = 0;
  #announced: GapFrame[] = [];

  /** The last received position; null before the first hello if there was no cursor. */
  get position(): Cursor | null {
    // If the oldest event has the `seq` 0, no position exists before it.
    return this.#position && this.#position.seq >= 0 ? { ...this.#position } : null;
  }

  /** Starts after `cursor`; null starts at the sidecar's oldest event. */
  resume(cursor: Cursor | null): void {
    this.#position = cursor && { epoch: cursor.epoch, seq: cursor.seq };
    this.#announced = [];
  }

  /** Begins at a hello. @returns false if the buffer ends before the stream's position */
  begin({ epoch, head, oldest }: HelloFrame): boolean {
    this.#announced = [];
    this.#head = head;
    if (this.#position?.epoch === epoch) return head >= this.#position.seq;
    this.#position = { epoch, seq: oldest - 1 };
    return true;
  }

  /** Adds a gap. @returns the gaps that the position moves past now */
  announce(gap: GapFrame): StreamGap[] {
    if (this.#announced.length < maxAnnouncedGaps) this.#announced.push(gap);
    this.#announced.sort((one, other) => one.from - other.from);
    return this.#pass(this.#head);
  }

  /** @returns the gaps that the position moves past at the end of the replay */
  endReplay(head: number): StreamGap[] {
    this.#head = Math.max(this.#head, head);
    return this.#pass(this.#head);
  }

  /**
   * Moves the position to an event if none before it is missing. First calls `onGap` for the announced gaps
   * before it.
   */
  advanceTo(seq: number, onGap: (gap: StreamGap) => void): SequenceCheckResult {
    const position = this.#position;
    if (!position || seq <= position.seq) return position ? "duplicate" : "hole";
    if (seq > position.seq + 1) {
      for (const gap of this.#pass(seq - 1)) onGap(gap);
      if (seq > position.seq + 1) return "hole";
    }
    position.seq = seq;
    return "next";
  }

  /** Skips the next event because it cannot be read. */
  skipNext(reason: string): StreamGap[] {
    return this.#position ? this.skipTo(this.#position.seq + 1, reason) : [];
  }

  /** Skips all events up to `seq`. The sidecar has omitted them without announcing a gap. */
  skipTo(seq: number, reason: string): StreamGap[] {
    const position = this.#position;
    if (!position || seq <= position.seq) return [];
    const gap = toStreamGap(position, { type: "gap", from: position.seq + 1, to: seq, reason });
    position.seq = seq;
    return [gap];
  }

  /** Moves the position past the announced gaps that directly follow it and end by `limit`. */
  #pass(limit: number): StreamGap[] {
    const passed: StreamGap[] = [];
    const position = this.#position;
    if (!position) return passed;
    for (let gap = this.#announced[0]; gap; gap = this.#announced[0]) {
      if (gap.from > position.seq + 1 || gap.to > limit) break;
      this.#announced.shift();
      if (gap.to <= position.seq) continue;
      passed.push(toStreamGap(position, { ...gap, from: position.seq + 1 }));
      position.seq = gap.to;
    }
    return passed;
  }
}

const toStreamGap = ({ epoch }: Cursor, gap: GapFrame): StreamGap => ({ ...gap, epoch });
