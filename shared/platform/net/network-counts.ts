import type { Network, Networks } from "./networks.ts";

/** Counts things that are there now (streams, requests that wait) for each network of their addresses. */
export class NetworkCounts {
  readonly #counts = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  countOf({ key }: Network): number {
    return this.#counts.get(key) ?? 0;
  }

  add(networks: Networks): void {
    this.#total += 1;
    for (const network of networks) this.#counts.set(network.key, this.countOf(network) + 1);
  }

  /** @param networks that were added before */
  remove(networks: Networks): void {
    this.#total -= 1;
    for (const network of networks) {
      const left = this.countOf(network) - 1;
      if (left > 0) this.#counts.set(network.key, left);
      else this.#counts.delete(network.key);
    }
  }
}
