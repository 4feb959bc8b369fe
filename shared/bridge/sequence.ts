import type { Cursor, GapFrame, HelloFrame, PlacedGap } from "./frames.ts";

export type Placement = "next" | "duplicate" | "hole";

/** Gaps a sidecar may announce ahead of the events before them; more would be no buffer. */
const maxAnnouncedGaps = 1_000;

/**
 * Where the stream stands, over all connections: after which event, and which gaps are announced.
 * Gaps come before the replay of the events around them, so each waits for its turn. One that ends
 * beyond the buffer's head waits for an event behind it: believed at once, a false one would turn
 * all that follows into duplicates.
 */
export class Sequence {
  #position: { epoch: string; seq: number } | null = null;
  #head = 0;
  #announced: GapFrame[] = [];

  /** The last place seen; null before the first hello without a cursor. */
  get position(): Cursor | null {
    // Before an oldest event of 0 there is no place to name.
    return this.#position && this.#position.seq >= 0 ? { ...this.#position } : null;
  }

  /** Begins after `cursor`, or at whatever the sidecar's oldest event is. */
  resume(cursor: Cursor | null): void {
    this.#position = cursor && { epoch: cursor.epoch, seq: cursor.seq };
    this.#announced = [];
  }

  /** @returns false when the buffer ends before the place we had reached in it */
  begin({ epoch, head, oldest }: HelloFrame): boolean {
    this.#announced = [];
    this.#head = head;
    if (this.#position?.epoch === epoch) return head >= this.#position.seq;
    this.#position = { epoch, seq: oldest - 1 };
    return true;
  }

  /** @returns the gaps whose turn has come */
  announce(gap: GapFrame): PlacedGap[] {
    if (this.#announced.length < maxAnnouncedGaps) this.#announced.push(gap);
    this.#announced.sort((one, other) => one.from - other.from);
    return this.#pass(this.#head);
  }

  /** @returns the gaps whose turn has come with the end of replay */
  live(head: number): PlacedGap[] {
    this.#head = Math.max(this.#head, head);
    return this.#pass(this.#head);
  }

  /** Places the next event; `onGap` hears first of the gaps that lie before it. */
  place(seq: number, onGap: (gap: PlacedGap) => void): Placement {
    const position = this.#position;
    if (!position || seq <= position.seq) return position ? "duplicate" : "hole";
    if (seq > position.seq + 1) {
      for (const gap of this.#pass(seq - 1)) onGap(gap);
      if (seq > position.seq + 1) return "hole";
    }
    position.seq = seq;
    return "next";
  }

  /** Gives up the next event: nobody can read it. */
  skipNext(reason: string): PlacedGap[] {
    return this.#position ? this.skipTo(this.#position.seq + 1, reason) : [];
  }

  /** Gives up all events to `seq`: the sidecar never explained where they are. */
  skipTo(seq: number, reason: string): PlacedGap[] {
    const position = this.#position;
    if (!position || seq <= position.seq) return [];
    const gap = placed(position, { type: "gap", from: position.seq + 1, to: seq, reason });
    position.seq = seq;
    return [gap];
  }

  /** Moves through the announced gaps that end by `limit`, as far as they reach without a break. */
  #pass(limit: number): PlacedGap[] {
    const passed: PlacedGap[] = [];
    const position = this.#position;
    if (!position) return passed;
    for (let gap = this.#announced[0]; gap; gap = this.#announced[0]) {
      if (gap.from > position.seq + 1 || gap.to > limit) break;
      this.#announced.shift();
      if (gap.to <= position.seq) continue;
      passed.push(placed(position, { ...gap, from: position.seq + 1 }));
      position.seq = gap.to;
    }
    return passed;
  }
}

const placed = ({ epoch }: Cursor, gap: GapFrame): PlacedGap => ({ ...gap, epoch });
