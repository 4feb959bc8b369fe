import {
  NetworkCounts,
  type AddressNetworks,
  type NetworkWidth,
} from "../../shared/platform/net/networks.ts";
import type { Subscriber } from "./subscriber.ts";

/** The maximum number of open streams of this process: in total, and per client network of each width. */
export interface ConnectionCaps extends Readonly<Record<NetworkWidth, number>> {
  readonly total: number;
}

export class Connections {
  readonly #caps: ConnectionCaps;
  readonly #open = new Set<Subscriber>();
  readonly #counts = new NetworkCounts();
  #onEmpty: (() => void) | undefined;

  constructor(caps: ConnectionCaps) {
    this.#caps = caps;
  }

  hasRoomFor(networks: AddressNetworks): boolean {
    if (this.#open.size >= this.#caps.total) return false;
    return networks.every((network) => this.#counts.countOf(network) < this.#caps[network.width]);
  }

  add(subscriber: Subscriber): void {
    this.#open.add(subscriber);
    this.#counts.add(subscriber.origin.networks);
  }

  remove(subscriber: Subscriber): void {
    if (!this.#open.delete(subscriber)) return;
    this.#counts.remove(subscriber.origin.networks);
    if (this.#open.size === 0) this.#onEmpty?.();
  }

  [Symbol.iterator](): Iterator<Subscriber> {
    return this.#open.values();
  }

  /** Resolves when the last stream is closed. */
  async untilEmpty(): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }
}
