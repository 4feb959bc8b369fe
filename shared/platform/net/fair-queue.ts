import { networkPath } from "./networks.ts";

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

/**
 * Lines of those that wait, in a tree of networks: each line has a path of keys from the widest network
 * to the address. A path is never the beginning of another one.
 */
export class WaitingTree<Item> {
  readonly #root = new Node<Item>();

  get size(): number {
    return this.#root.count;
  }

  /** How many wait in all lines below this path. */
  countOf(path: readonly string[]): number {
    return this.#root.find(path)?.count ?? 0;
  }

  add(path: readonly string[], item: Item): void {
    this.#root.add(path, item);
  }

  /** Takes out the next: on each level the networks take turns. */
  takeNext(): Item | undefined {
    return this.#root.takeNext();
  }

  /** Takes out the last of a line. */
  takeLast(line: readonly string[]): Item | undefined {
    return this.#root.takeLast(line);
  }

  /**
   * The line that would be the longest if one more came by `path`: on each level the network with the
   * most waiting, and of several the one the newcomer is part of.
   * @param below a beginning of `path` to which the search is limited
   */
  longestLine(path: readonly string[], below: readonly string[] = []): readonly string[] {
    const start = this.#root.find(below) ?? new Node<Item>();
    return [...below, ...start.longestLine(path.slice(below.length))];
  }
}

/** A network with the narrower ones in it, or a line. */
class Node<Item> {
  count = 0;
  readonly #line: Item[] = [];
  /** In the order of their turns. */
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
