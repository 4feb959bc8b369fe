/** A frame of the simulated sidecar, with its seq. */
export interface SeqFrame {
  readonly seq: number;
  readonly event: object;
  readonly bytes: number;
}

export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly reason: string;
}

/** The seqs of the events that the plugin still has. If it has none, `oldest` is one more than `head`. */
export interface Range {
  readonly oldest: number;
  readonly head: number;
}

/** The body of one call to the site. */
export interface PluginBatch {
  readonly gap?: Gap;
  readonly events: readonly object[];
  /** The seq of the last event in the call. */
  readonly last: number;
}

const maxEvents = 500;
const maxBytes = 900_000;

/** The events that the site has not confirmed, in the order of the buffer. */
export class Outbox {
  #frames: SeqFrame[] = [];
  #gaps: Gap[] = [];
  /** The last seq that the site has confirmed. */
  #sent: number;

  /** @param sent the last seq that the site has stored. If it has none, the seq before the oldest event */
  constructor(sent: number) {
    this.#sent = sent;
  }

  get range(): Range {
    return { oldest: this.#sent + 1, head: this.#frames.at(-1)?.seq ?? this.#sent };
  }

  put(frame: SeqFrame): void {
    if (frame.seq > this.#sent) this.#frames.push(frame);
  }

  lose(gap: Gap): void {
    this.#gaps.push(gap);
    this.#gaps.sort((one, other) => one.from - other.from);
  }

  /** Returns the body of the next call, or null if there is nothing to send. */
  next(): PluginBatch | null {
    const gap = this.#gaps.find(({ from, to }) => from <= this.#sent + 1 && to > this.#sent);
    const events: object[] = [];
    let last = gap?.to ?? this.#sent;
    let bytes = 0;
    for (const frame of this.#frames) {
      if (frame.seq <= last) continue;
      // If a seq is missing without a gap, end the call before it, so that tests can check the site's reaction.
      if (frame.seq > last + 1 && events.length > 0) break;
      bytes += frame.bytes;
      if (events.length === maxEvents || bytes > maxBytes) break;
      events.push(frame.event);
      last = frame.seq;
    }
    if (events.length === 0 && !gap) return null;
    return { ...(gap && { gap }), events, last };
  }

  /** Removes the events that the site has stored. */
  stored(seq: number): void {
    this.#sent = Math.max(this.#sent, seq);
    this.#frames = this.#frames.filter((frame) => frame.seq > this.#sent);
    this.#gaps = this.#gaps.filter(({ to }) => to > this.#sent);
  }
}
