import { listNetworkKeys } from "./networks.ts";

export interface FairQueueOptions {
  readonly atOnce: number;
  /**
   * Maximum number of waiting tasks per network (IPv6 /48 or IPv4 /24), and in total. Absent: no limit.
   */
  readonly caps?: { readonly network: number; readonly total: number };
  /** Creates the error for tasks that may not wait. */
  readonly refusal?: () => Error;
}

const unlimited = { network: Infinity, total: Infinity };

/**
 * Runs tasks fairly by client network. The widest networks take turns; within a network, its sites (IPv6 /56)
 * take turns, and within a site, its addresses. If too many tasks wait, the last task of the longest queue is
 * refused, so that one network does not exclude others.
 */
export class FairQueue {
  readonly #atOnce: number;
  readonly #caps: { readonly network: number; readonly total: number };
  readonly #refusal: () => Error;
  readonly #waiting = new WaitQueueTree<Waiter>();
  #running = 0;

  constructor({ atOnce, caps, refusal }: FairQueueOptions) {
    this.#atOnce = atOnce;
    this.#caps = caps ?? unlimited;
    this.#refusal = refusal ?? (() => new Error("too many callers are waiting"));
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  isFullFor(address: string | undefined): boolean {
    const path = listNetworkKeys(address);
    return this.#running >= this.#atOnce && isSame(this.#lineToShorten(path), path);
  }

  /**
   * @param address of the client; undefined for tasks of the service itself
   * @throws the refusal: at once, or while the task waits if a task of another network takes its place
   */
  async run<T>(address: string | undefined, work: () => Promise<T>): Promise<T> {
    await this.#takeTurn(listNetworkKeys(address));
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

  /**
   * Returns the queue whose last task is refused, so that a task of `path` can wait; undefined if there is space.
   */
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

/** Queues of waiting items by their path of keys, from the widest network to the address. */
export class WaitQueueTree<Item> {
  readonly #root = new Node<Item>();

  get size(): number {
    return this.#root.count;
  }

  countOf(path: readonly string[]): number {
    return this.#root.find(path)?.count ?? 0;
  }

  add(path: readonly string[], item: Item): void {
    this.#root.add(path, item);
  }

  /** Removes the next item. The networks of each level take turns. */
  takeNext(): Item | undefined {
    return this.#root.takeNext();
  }

  takeLast(line: readonly string[]): Item | undefined {
    return this.#root.takeLast(line);
  }

  /**
   * Returns the queue that would be longest with one more item for `path`. If queues are equal,
   * prefers the queue in the network of `path`.
   * @param below a prefix of `path` that limits the search
   */
  longestLine(path: readonly string[], below: readonly string[] = []): readonly string[] {
    const start = this.#root.find(below) ?? new Node<Item>();
    return [...below, ...start.longestLine(path.slice(below.length))];
  }
}

class Node<Item> {
  count = 0;
  readonly #line: Item[] = [];
  /** The networks of the next level, in the order of their turns. */
  readonly #parts = new Map<string, Node<Item>>();

  find([key, ...rest]: readonly string[]): Node<Item> | undefined {
    return key === undefined ? this : this.#parts.get(key)?.find(rest);
  }

  add([key, ...rest]: readonly string[], item: Item): void {
    this.count += 1;
    if (key === undefined) {
      this.#line.push(item);
      return;
    }
    const part = this.#parts.get(key) ?? new Node<Item>();
    this.#parts.set(key, part);
    part.add(rest, item);
  }

  takeNext(): Item | undefined {
    if (this.count === 0) return undefined;
    this.count -= 1;
    const [first] = this.#parts;
    if (!first) return this.#line.shift();
    const [key, part] = first;
    const item = part.takeNext();
    this.#parts.delete(key);
    if (part.count > 0) this.#parts.set(key, part);
    return item;
  }

  takeLast([key, ...rest]: readonly string[]): Item | undefined {
    if (this.count === 0) return undefined;
    const part = key === undefined ? undefined : this.#parts.get(key);
    const item = part ? part.takeLast(rest) : this.#line.pop();
    if (item === undefined) return undefined;
    this.count -= 1;
    if (key !== undefined && part?.count === 0) this.#parts.delete(key);
    return item;
  }

  longestLine([key, ...rest]: readonly string[]): readonly string[] {
    if (key === undefined) return this.#longestOfAll();
    const own = this.#parts.get(key);
    const [longest, part] = this.#longestPart();
    if (longest === undefined || !part || part.count <= (own?.count ?? 0) + 1) {
      return [key, ...(own ? own.longestLine(rest) : rest)];
    }
    return [longest, ...part.#longestOfAll()];
  }

  #longestOfAll(): readonly string[] {
    const [key, part] = this.#longestPart();
    return key === undefined || !part ? [] : [key, ...part.#longestOfAll()];
  }

  #longestPart(): readonly [string, Node<Item>] | readonly [] {
    let longest: readonly [string, Node<Item>] | readonly [] = [];
    let most = 0;
    for (const [key, part] of this.#parts) {
      if (part.count <= most) continue;
      most = part.count;
      longest = [key, part];
    }
    return longest;
  }
}
