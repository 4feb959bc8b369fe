import type { Subscriber } from "./subscriber.ts";

/** How many streams may be open on this process. */
export interface ConnectionCaps {
  readonly total: number;
  readonly perAddress: number;
}

/** Every open event stream of the process, up to date or still catching up. */
export class Connections {
  readonly #caps: ConnectionCaps;
  readonly #open = new Set<Subscriber>();
  readonly #byAddress = new Map<string, number>();
  #onEmpty: (() => void) | undefined;

  constructor(caps: ConnectionCaps) {
    this.#caps = caps;
  }

  /** @param key as `addressKey` makes it */
  hasRoomFor(key: string): boolean {
    const { total, perAddress } = this.#caps;
    return this.#open.size < total && (this.#byAddress.get(key) ?? 0) < perAddress;
  }

  add(subscriber: Subscriber): void {
    const { key } = subscriber.origin;
    this.#open.add(subscriber);
    this.#byAddress.set(key, (this.#byAddress.get(key) ?? 0) + 1);
  }

  remove(subscriber: Subscriber): void {
    if (!this.#open.delete(subscriber)) return;
    const { key } = subscriber.origin;
    const left = (this.#byAddress.get(key) ?? 0) - 1;
    if (left > 0) this.#byAddress.set(key, left);
    else this.#byAddress.delete(key);
    if (this.#open.size === 0) this.#onEmpty?.();
  }

  [Symbol.iterator](): Iterator<Subscriber> {
    return this.#open.values();
  }

  /** Resolves when the last one is gone. */
  async untilEmpty(): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }
}
