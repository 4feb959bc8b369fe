export const serialText = (serial: number): string =>
  `0x${serial.toString(16).toUpperCase().padStart(8, "0")}`;

/** The next free serials. */
export interface SerialCounters {
  readonly mobile: number;
  readonly item: number;
}

/** Allocates serials as the game does: mobiles below 0x40000000, items from there on. */
export class Serials {
  #mobile = 0x0000a001;
  #item = 0x40001a2b;

  mobile(): string {
    return serialText(this.#mobile++);
  }

  item(): string {
    return serialText(this.#item++);
  }

  get counters(): SerialCounters {
    return { mobile: this.#mobile, item: this.#item };
  }

  /** Rewinds, so that serials allocated since then are reused. */
  goBackTo({ mobile, item }: SerialCounters): void {
    this.#mobile = mobile;
    this.#item = item;
  }
}
