export const serialText = (serial: number): string =>
  `0x${serial.toString(16).toUpperCase().padStart(8, "0")}`;

/** The serials that are assigned next. */
export interface SerialCounters {
  readonly mobile: number;
  readonly item: number;
}

/**
 * Assigns serials as the game does: those of mobiles are below 0x40000000, those of items are not.
 */
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

  /** Resets the counters to these serials, so that later serials are assigned again. */
  goBackTo({ mobile, item }: SerialCounters): void {
    this.#mobile = mobile;
    this.#item = item;
  }
}
