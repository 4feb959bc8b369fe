import { networkPath } from "./networks.ts";
import { WaitingTree } from "./waiting-tree.ts";

export interface FairQueueOptions {
  /** How much work runs at the same time. */
  readonly atOnce: number;
  /** How many may wait: of one IPv6 /48 or IPv4 /24, and of all together. Unlimited when absent. */
  readonly caps?: { readonly network: number; readonly total: number };
  /** What those are refused with who may not wait. */
  readonly refusal?: () => Error;
}

const unlimited = { network: Infinity, total: Infinity };

/**
 * Runs work in turns. The widest networks take turns, in each of them its sites, and in each site its
 * addresses: a network with many waiting delays the only one of another by one turn. When too many wait,
 * the last of the longest line is refused, so that one network's line keeps no other network out.
 */
export class FairQueue {
  readonly #atOnce: number;
  readonly #caps: { readonly network: number; readonly total: number };
  readonly #refusal: () => Error;
  readonly #waiting = new WaitingTree<Waiter>();
  #running = 0;

  constructor({ atOnce, caps, refusal }: FairQueueOptions) {
    this.#atOnce = atOnce;
    this.#caps = caps ?? unlimited;
    this.#refusal = refusal ?? (() => new Error("too many wait"));
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether work for this address would be refused now. */
  isFullFor(address: string | undefined): boolean {
    const path = networkPath(address);
    return this.#running >= this.#atOnce && isSame(this.#lineToShorten(path), path);
  }

  /**
   * @param address of the client the work is for; undefined where it is for none
   * @throws the queue's refusal, at once or when others need the place
   */
  async run<T>(address: string | undefined, work: () => Promise<T>): Promise<T> {
    await this.#takeTurn(networkPath(address));
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#admitNext();
    }
  }

  async #takeTurn(path: readonly string[]): Promise<void> {
    if (this.#running < this.#atOnce) {
      this.#running += 1;
      return;
    }
    const line = this.#lineToShorten(path);
    if (isSame(line, path)) throw this.#refusal();
    if (line) this.#waiting.takeLast(line)?.refuse(this.#refusal());
    await new Promise<void>((admit, refuse) => {
      this.#waiting.add(path, { admit, refuse });
    });
  }

  /** @returns the line that loses its last when one more comes by `path`; undefined while there is room */
  #lineToShorten(path: readonly string[]): readonly string[] | undefined {
    const network = path.slice(0, 1);
    if (this.#waiting.countOf(network) >= this.#caps.network) {
      return this.#waiting.longestLine(path, network);
    }
    return this.#waiting.size >= this.#caps.total ? this.#waiting.longestLine(path) : undefined;
  }

  #admitNext(): void {
    const next = this.#waiting.takeNext();
    if (!next) return;
    this.#running += 1;
    next.admit();
  }
}

interface Waiter {
  readonly admit: () => void;
  readonly refuse: (error: Error) => void;
}

const isSame = (line: readonly string[] | undefined, path: readonly string[]): boolean =>
  line?.join(" ") === path.join(" ");
